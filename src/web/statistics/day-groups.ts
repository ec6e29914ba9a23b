type Counted = { label: string; count: number }

const MOST_COLUMNS = 62
const DAY_MS = 86_400_000

const dayFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('fr-FR', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const mondayOf = (day: string): number => {
  const time = timeOf(day)
  const since_monday = (new Date(time).getUTCDay() + 6) % 7
  return time - since_monday * DAY_MS
}

const UNITS: { unit: string; labelOf: (day: string) => string }[] = [
  { unit: 'jour', labelOf: (day) => dayFormat.format(timeOf(day)) },
  { unit: 'semaine', labelOf: (day) => `semaine du ${dayFormat.format(mondayOf(day))}` },
  { unit: 'mois', labelOf: (day) => monthFormat.format(timeOf(day)) },
]

/** Counts by day, else by week from Monday, else by month: the finest unit whose columns fit a screen. */
export const groupDays = (
  days: readonly { day: string; count: number }[],
): { unit: string; columns: Counted[] } => {
  let grouped: { unit: string; columns: Counted[] } = { unit: 'jour', columns: [] }
  for (const { unit, labelOf } of UNITS) {
    const counts = new Map<string, number>()
    for (const { day, count } of days)
      counts.set(labelOf(day), (counts.get(labelOf(day)) ?? 0) + count)
    grouped = { unit, columns: [...counts].map(([label, count]) => ({ label, count })) }
    if (grouped.columns.length <= MOST_COLUMNS) break
  }
  return grouped
}
