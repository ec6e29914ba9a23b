const PARIS = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Paris',
  dateStyle: 'short',
  timeStyle: 'medium',
})

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
const LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length

/** The quarter of an hour that was asked about last, in which clocks in Paris are this far ahead. */
let quarter = Number.NaN
let ahead_ms = 0

/** The time on a clock in Paris, as `2026-03-09 13:05:00`. */
export const parisTime = (created_at: string): string => {
  const time = Date.parse(created_at)
  const now = Math.floor(time / QUARTER_MS)
  if (now !== quarter) {
    // Clocks change at the end of a quarter, and the calendar is slow to ask.
    const start = now * QUARTER_MS
    ahead_ms = Date.parse(`${PARIS.format(start).replace(' ', 'T')}Z`) - start
    quarter = now
  }
  return new Date(time + ahead_ms).toISOString().slice(0, LENGTH).replace('T', ' ')
}

/**
 * The moment that a clock in Paris says, given as `2026-03-09T13:05`, as ISO in UTC. In the hour that a clock skips
 * it is the hour after; in the one it says twice, the first.
 */
export const fromParisTime = (said: string): string => {
  const asUtc = Date.parse(`${said}Z`)
  const aheadAt = (time: number): number =>
    Date.parse(`${parisTime(new Date(time).toISOString()).replace(' ', 'T')}Z`) - time
  // Clocks change at most once within these two days.
  const [before, after] = [aheadAt(asUtc - DAY_MS), aheadAt(asUtc + DAY_MS)]
  const ahead = [before, after].find((one) => aheadAt(asUtc - one) === one) ?? before
  return new Date(asUtc - ahead).toISOString()
}
