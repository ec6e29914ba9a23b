/** Period of local days, both included. */
export type Period = { from: string; to: string }
/** Number of participants of a day. */
export type DayCount = { day: string; count: number }

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Maximum number of days that are listed without participants. */
const MAX_DAYS = 3_660

const rankOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const dayOf = (rank: number): string => new Date(rank * DAY_MS).toISOString().slice(0, DAY_LENGTH)

/** Period with its compared part and the days before it; null until a day of the period is over. */
export type Periods = {
  period: Period
  period_compared: Period | null
  period_before: Period | null
}

/**
 * Returns the periods to compare; undefined without a beginning. A period without an end ends today, or on its first
 * day if that is later. Only days that are over are compared, with the same days of the previous period.
 */
export const periodsOf = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): Periods | undefined => {
  if (!from) return undefined
  const last = to ?? (from > today ? from : today)
  const period = { from, to: last }
  const over = last < today ? last : dayOf(rankOf(today) - 1)
  if (over < from) return { period, period_compared: null, period_before: null }
  const length = rankOf(last) - rankOf(from) + 1
  const earlier = (day: string): string => dayOf(rankOf(day) - length)
  return {
    period,
    period_compared: { from, to: over },
    period_before: { from: earlier(from), to: earlier(over) },
  }
}

/** Distance to the compared days, and true if today is left out because the day is not over. */
export type Comparison = { days_earlier: number; is_without_today: boolean }

/** Returns the comparison of these periods; null if nothing is compared. */
export const comparisonOf = ({
  period,
  period_compared,
  period_before,
}: { [Name in keyof Periods]: Period | null }): Comparison | null =>
  period && period_compared && period_before
    ? {
        days_earlier: rankOf(period_compared.from) - rankOf(period_before.from),
        is_without_today: period_compared.to < period.to,
      }
    : null

/**
 * Returns every day of a period with its count, days without participants included. For more than ten years, returns
 * only days with participants.
 */
export const daysOf = ({ from, to }: Period, counts: readonly DayCount[]): DayCount[] => {
  const countOf = new Map(counts.map(({ day, count }) => [day, count]))
  const [first, length] = [rankOf(from), rankOf(to) - rankOf(from) + 1]
  if (length > MAX_DAYS + 1)
    return counts
      .filter(({ day, count }) => count > 0 && day >= from && day <= to)
      .sort((a, b) => (a.day < b.day ? -1 : 1))
  return Array.from({ length }, (_, index) => {
    const day = dayOf(first + index)
    return { day, count: countOf.get(day) ?? 0 }
  })
}
