/** Time zone of accounts without a choice. */
export const DEFAULT_TIME_ZONE = 'Europe/Paris'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
const TIME_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length
const DAY_LENGTH = 'YYYY-MM-DD'.length
const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length

/** Name of a place in the IANA database. Offsets such as +05:30 are excluded, because PostgreSQL inverts their sign. */
const PLACE = /^(?:UTC|[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_+-]*)+)$/

/** Returns true if `name` is an IANA time zone, in its usual spelling, that this JavaScript engine knows. */
export const isTimeZone = (name: string): boolean => {
  if (!PLACE.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Formats a moment in one zone, and caches the offset of the last quarter of an hour. */
type Clock = { format: Intl.DateTimeFormat; quarter: number; offset_ms: number }

const clocks = new Map<string, Clock>()

const clockOf = (time_zone: string): Clock => {
  const known = clocks.get(time_zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: time_zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const clock = { format, quarter: Number.NaN, offset_ms: 0 }
  clocks.set(time_zone, clock)
  return clock
}

/** Returns the milliseconds that local time is ahead of UTC at a moment (ms since 1970). */
const offsetAt = (time: number, time_zone: string): number => {
  const clock = clockOf(time_zone)
  const quarter = Math.floor(time / QUARTER_MS)
  if (quarter !== clock.quarter) {
    // Offsets change at the end of a quarter of an hour; formatting each moment would be slow.
    const start = quarter * QUARTER_MS
    clock.offset_ms = Date.parse(`${clock.format.format(start).replace(' ', 'T')}Z`) - start
    clock.quarter = quarter
  }
  return clock.offset_ms
}

/** Returns the local time of an ISO timestamp, as `2026-03-09 13:05:00`. */
export const localTime = (timestamp: string, time_zone: string): string => {
  const time = Date.parse(timestamp)
  const local = new Date(time + offsetAt(time, time_zone)).toISOString()
  return local.slice(0, TIME_LENGTH).replace('T', ' ')
}

/** Returns the local day of a moment, as `2026-03-09`. */
export const localDay = (at: Date, time_zone: string): string =>
  localTime(at.toISOString(), time_zone).slice(0, DAY_LENGTH)

/** Returns the local time of an ISO timestamp to the minute, as a `datetime-local` field has it: `2026-03-09T13:05`. */
export const localMinute = (timestamp: string, time_zone: string): string =>
  localTime(timestamp, time_zone).replace(' ', 'T').slice(0, MINUTE_LENGTH)

/** Returns an ISO timestamp with the local time and its offset: `2026-03-09T13:05:00+01:00`. */
export const localTimestamp = (timestamp: string, time_zone: string): string => {
  const minutes = Math.round(offsetAt(Date.parse(timestamp), time_zone) / 60_000)
  const pad = (value: number): string => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
  return localTime(timestamp, time_zone).replace(' ', 'T') + offset
}

/**
 * Returns the moment of a local time such as `2026-03-09T13:05`, as an ISO timestamp in UTC. A local time that the
 * clock skips is moved on by the skipped hour. A local time that occurs twice means the first occurrence.
 */
export const fromLocalTime = (local: string, time_zone: string): string => {
  const asUtc = Date.parse(`${local}Z`)
  // Offsets change at most once within these two days.
  const [before, after] = [offsetAt(asUtc - DAY_MS, time_zone), offsetAt(asUtc + DAY_MS, time_zone)]
  const offset =
    [before, after].find((candidate) => offsetAt(asUtc - candidate, time_zone) === candidate) ??
    before
  return new Date(asUtc - offset).toISOString()
}

/** Returns the first moment of a local day such as `2026-03-09`, as an ISO timestamp in UTC. */
export const startOfDay = (day: string, time_zone: string): string =>
  fromLocalTime(`${day}T00:00`, time_zone)

/** Returns the first moment after a local day, as an ISO timestamp in UTC. */
export const endOfDay = (day: string, time_zone: string): string =>
  startOfDay(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, DAY_LENGTH), time_zone)
