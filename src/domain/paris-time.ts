const PARIS = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Paris',
  dateStyle: 'short',
  timeStyle: 'medium',
})

const QUARTER_MS = 900_000
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
