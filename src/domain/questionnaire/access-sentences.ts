import { withOrdinalDay } from '#domain/common/date-words.ts'
import { localDay, localTime } from '#domain/common/time-zone.ts'

const NO_BREAK = '\u00a0'

/** Returns a local time as « 18 h » or « 18 h 30 ». */
const hourText = (hour: number, minute: number): string =>
  `${hour}${NO_BREAK}h${minute === 0 ? '' : `${NO_BREAK}${String(minute).padStart(2, '0')}`}`

/** Returns a local day as « mardi 15 décembre », with the year unless it is the current one. */
const dayText = (day: string, today: string): string => {
  const year = day.slice(0, 4)
  const at = new Date(`${day}T12:00:00Z`)
  const inWords = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('fr-FR', { ...options, timeZone: 'UTC' }).format(at)
  const words = [
    inWords({ weekday: 'long' }),
    withOrdinalDay(inWords({ day: 'numeric', month: 'long' })),
  ]
  if (year !== today.slice(0, 4)) words.push(year)
  return words.join(' ')
}

/** Current time in ms, and the time zone of the shown times. */
type ReaderClock = { now: number; time_zone: string }

/** Returns the local day and hour of a moment: « mardi 15 décembre », « 18 h ». */
const momentWords = (moment: string, { now, time_zone }: ReaderClock) => {
  const [day = '', time = ''] = localTime(moment, time_zone).split(' ')
  const today = localDay(new Date(now), time_zone)
  const [hour, minute] = time.split(':').map(Number)
  return {
    day: dayText(day, today),
    hour: hourText(hour ?? 0, minute ?? 0),
    isToday: day === today,
    isPast: Date.parse(moment) <= now,
  }
}

/** Returns the local day of a moment, as « mardi 15 décembre ». */
export const weekdayInWords = (moment: string, reading: ReaderClock): string =>
  momentWords(moment, reading).day

const sentence = (
  moment: string,
  reading: ReaderClock,
  { past, future }: { past: string; future: string },
): string => {
  const { day, hour, isToday, isPast } = momentWords(moment, reading)
  return `${isPast ? past : future} ${isToday ? 'aujourd’hui' : `le ${day}`} à ${hour}`
}

/** Returns when a quiz closes or closed, as « Fermera le mardi 15 décembre à 18 h ». */
export const closingSentence = (closes_at: string, reading: ReaderClock): string =>
  sentence(closes_at, reading, { past: 'Fermé', future: 'Fermera' })

/** Returns when a quiz opens or opened, as « Ouvre le mardi 15 décembre à 18 h ». */
export const openingSentence = (opens_at: string, reading: ReaderClock): string =>
  sentence(opens_at, reading, { past: 'Ouvert', future: 'Ouvre' })

/**
 * Returns the message that visitors read before a quiz opens. The message always contains the day, because visitors may
 * be in another time zone.
 */
export const unopenedText = (
  opens_at: string,
  { time_zone_name, ...reading }: ReaderClock & { time_zone_name: string },
): string => {
  const { day, hour } = momentWords(opens_at, reading)
  return `Ce questionnaire ouvre le ${day} à ${hour} (${time_zone_name}).`
}
