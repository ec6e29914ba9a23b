/** Days of Paris, both included. */
export type Period = { from: string; to: string }
type DayCount = { day: string; count: number }

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Of a longer period the days that have participants are told alone. */
const MOST_DAYS = 3_660

const rankOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const dayOf = (rank: number): string => new Date(rank * DAY_MS).toISOString().slice(0, DAY_LENGTH)

/** A period, and what of it is compared with which days before: null while no day of it is over. */
export type Periods = {
  period: Period
  period_compared: Period | null
  period_before: Period | null
}

/**
 * A period, up to today (or for one day, where it begins later) when it has no end; undefined of one that has no
 * beginning. A day that is not over has no equal before it: of a period that comes to today the days until yesterday are
 * compared, with those as far into the period of as many days just before.
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

/** With what days are compared: the same so many days earlier, with today, which is not over, or without it. */
export type Comparison = { days_earlier: number; is_without_today: boolean }

/** What these periods compare; null where they compare nothing. */
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
