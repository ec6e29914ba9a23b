import { localDay } from '#domain/time-zone.ts'
import { currentZone, formatMoment, formatNamedMoment } from '#web/ui/moments.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const DAYS_NAMED = 7

const short = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto', style: 'short' })
const long = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto' })

/** Formats when a quiz was changed: 'il y a 5 min', 'hier', 'le 3 mars'. Days are those of the account. */
export const relativeTime = (timestamp: string, now = Date.now()): string => {
  const time = Date.parse(timestamp)
  const [then, today] = [time, now].map((one) => localDay(new Date(one), currentZone().time_zone))
  const days = Math.round((Date.parse(today ?? '') - Date.parse(then ?? '')) / DAY_MS)
  const ms = now - time
  // A clock that is behind the server’s makes it a time to come.
  if (ms < MINUTE_MS) return 'à l’instant'
  if (days === 0)
    return ms < HOUR_MS
      ? short.format(-Math.floor(ms / MINUTE_MS), 'minute')
      : short.format(-Math.floor(ms / HOUR_MS), 'hour')
  if (days < DAYS_NAMED) return long.format(-days, 'day')
  const isThisYear = then?.slice(0, 4) === today?.slice(0, 4)
  return `le ${formatMoment(time, isThisYear ? 'day_of_year' : 'day')}`
}

/** Formats a moment to the minute: '3 mars 2026 à 14:05'. */
export const exactTime = (timestamp: string): string => formatNamedMoment(timestamp, 'long')
