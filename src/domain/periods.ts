/** Days of Paris, both included. */
export type Period = { from: string; to: string }
type DayCount = { day: string; count: number }

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Of a longer period the days that have participants are told alone. */
const MOST_DAYS = 3_660

const rankOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const dayOf = (rank: number): string => new Date(rank * DAY_MS).toISOString().slice(0, DAY_LENGTH)

/**
 * A period, up to today (or for one day, where it begins later) when it has no end, and as many days just before it;
 * undefined of one that has no beginning.
 */
export const periodsOf = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): { period: Period; period_before: Period } | undefined => {
  if (!from) return undefined
  const last = to ?? (from > today ? from : today)
  const [first, length] = [rankOf(from), rankOf(last) - rankOf(from) + 1]
  return {
    period: { from, to: last },
    period_before: { from: dayOf(first - length), to: dayOf(first - 1) },
  }
}

/** Every day of a period with its count, zero included; of more than ten years those that have one. */
export const daysOf = ({ from, to }: Period, counts: readonly DayCount[]): DayCount[] => {
  const countOf = new Map(counts.map(({ day, count }) => [day, count]))
  const [first, length] = [rankOf(from), rankOf(to) - rankOf(from) + 1]
  if (length > MOST_DAYS + 1)
    return counts
      .filter(({ day, count }) => count > 0 && day >= from && day <= to)
      .sort((a, b) => (a.day < b.day ? -1 : 1))
  return Array.from({ length }, (_, index) => {
    const day = dayOf(first + index)
    return { day, count: countOf.get(day) ?? 0 }
  })
}
