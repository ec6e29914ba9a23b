import { localDay, localTime } from '#domain/common/time-zone.ts'

const NO_BREAK = '\u00a0'

/** Returns a local time as « 18 h » or « 18 h 30 ». */
const hourText = (hour: number, minute: number): string =>
  `${hour}${NO_BREAK}h${minute === 0 ? '' : `${NO_BREAK}${String(minute).padStart(2, '0')}`}`

/** Returns a local day as « mardi 15 décembre », with the year unless it is the current one. */
const dayText = (day: string, today: string): string => {
  const [year, , number] = day.split('-')
  const at = new Date(`${day}T12:00:00Z`)
  const inWords = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('fr-FR', { ...options, timeZone: 'UTC' }).format(at)
  const words = [
    inWords({ weekday: 'long' }),
    number === '01' ? '1er' : String(Number(number)),
    inWords({ month: 'long' }),
  ]
  if (year !== today.slice(0, 4)) words.push(String(year))
  return words.join(' ')
}

/**
 * Returns when a quiz closes or closed, as « Fermera le mardi 15 décembre à 18 h ». Times are local to `time_zone`;
 * `now` is in ms.
 */
export const closingSentence = (
  closes_at: string,
  { now, time_zone }: { now: number; time_zone: string },
): string => {
  const [day = '', time = ''] = localTime(closes_at, time_zone).split(' ')
  const today = localDay(new Date(now), time_zone)
  const [hour, minute] = time.split(':').map(Number)
  const at = hourText(hour ?? 0, minute ?? 0)
  const isPast = Date.parse(closes_at) <= now
  if (day === today) return isPast ? `Fermé aujourd’hui à ${at}` : `Fermera aujourd’hui à ${at}`
  return `${isPast ? 'Fermé' : 'Fermera'} le ${dayText(day, today)} à ${at}`
}
