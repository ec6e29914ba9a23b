type DayCount = { day: string; count: number }
/** A point of a chart over time. */
export type DayPoint = { label: string; tick: string; count: number }

const MAX_POINTS = 100
const DAY_MS = 86_400_000

const dayFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' })
const tickFormat = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const monthFormat = new Intl.DateTimeFormat('fr-FR', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const monthTickFormat = new Intl.DateTimeFormat('fr-FR', {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
})

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const mondayOf = (day: string): number => {
  const time = timeOf(day)
  const since_monday = (new Date(time).getUTCDay() + 6) % 7
  return time - since_monday * DAY_MS
}

type Unit = {
  unit: string
  labelOf: (day: string) => string
  tickOf: (day: string) => string
}

const UNITS: Unit[] = [
  {
    unit: 'jour',
    labelOf: (day) => dayFormat.format(timeOf(day)),
    tickOf: (day) => tickFormat.format(timeOf(day)),
  },
  {
    unit: 'semaine',
    labelOf: (day) => `semaine du ${dayFormat.format(mondayOf(day))}`,
    tickOf: (day) => tickFormat.format(mondayOf(day)),
  },
  {
    unit: 'mois',
    labelOf: (day) => monthFormat.format(timeOf(day)),
    tickOf: (day) => monthTickFormat.format(timeOf(day)),
  },
]

/**
 * Groups counts by day, by week from Monday, or by month: the finest unit whose points fit in a chart. `before` has
 * the counts of the earlier days, grouped like `days`. A point without a complete counterpart, such as a day that is
 * not over, has none.
 */
export const groupDays = (
  days: readonly DayCount[],
  days_before: readonly DayCount[] = [],
): { unit: string; points: DayPoint[]; before: number[] } => {
  let grouped: { unit: string; points: DayPoint[]; before: number[] } = {
    unit: 'jour',
    points: [],
    before: [],
  }
  for (const { unit, labelOf, tickOf } of UNITS) {
    const points = new Map<string, DayPoint & { before: number; isCompared: boolean }>()
    for (const [index, { day, count }] of days.entries()) {
      const label = labelOf(day)
      const point = points.get(label) ?? {
        label,
        tick: tickOf(day),
        count: 0,
        before: 0,
        isCompared: true,
      }
      const day_before = days_before[index]
      point.count += count
      point.before += day_before?.count ?? 0
      point.isCompared &&= day_before !== undefined
      points.set(label, point)
    }
    const all = [...points.values()]
    grouped = {
      unit,
      points: all.map(({ label, tick, count }) => ({ label, tick, count })),
      before: all.filter(({ isCompared }) => isCompared).map(({ before }) => before),
    }
    if (all.length <= MAX_POINTS) break
  }
  return grouped
}
