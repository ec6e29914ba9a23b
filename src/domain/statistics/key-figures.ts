import { valueAtRank } from '#domain/common/numbers.ts'
import { everyDay } from './figures.ts'
import { type DayCount, daysOf, type Period, type Periods } from './periods.ts'

/** Longest counted duration, because a longer time means that the page was left open. */
export const MAX_DURATION_S = 7_200

/** Number of participants with a duration in whole seconds. */
export type DurationCount = { seconds: number; count: number }

/** Median duration of the participants with a known duration. `is_more` means at least MAX_DURATION_S. */
export type DurationSummary = { count: number; median_seconds: number; is_more: boolean }

/**
 * Returns the exact median of counted durations, the mean of the two middle values if their number is even. Null if
 * there are none.
 */
export const durationSummary = (counts: readonly DurationCount[]): DurationSummary | null => {
  const sorted = counts
    .filter(({ count }) => count > 0)
    .map(({ seconds, count }) => ({ value: seconds, count }))
    .sort((a, b) => a.value - b.value)
  const count = sorted.reduce((sum, entry) => sum + entry.count, 0)
  if (count === 0) return null
  const upper = valueAtRank(sorted, Math.floor(count / 2))
  const lower = valueAtRank(sorted, Math.floor((count - 1) / 2))
  return { count, median_seconds: (lower + upper) / 2, is_more: upper >= MAX_DURATION_S }
}

/** Sets of days: the whole period, its compared part, and the days before. */
export const SPANS = ['now', 'compared', 'before'] as const
/** Name of a set of days. */
export type Span = (typeof SPANS)[number]
/** Number for each set of days; a day may belong to several sets. */
type CountsBySpan = Record<Span, number>

/** Figures from stored counters: participants by day, and visits that opened the quiz. */
export type DayTotals = { days: DayCount[]; opened: CountsBySpan }

/** Counted participants of one kind, by duration or by day where that applies. */
export type RowCount = CountsBySpan & {
  kind: 'participant' | 'address' | 'delivered' | 'time' | 'day'
  seconds: number | null
  day: string | null
}

/** Key figures of a period. Null means not counted, or not counted yet. */
export type KeyFigures = {
  nb_opened: number | null
  nb_participants: number | null
  nb_addresses: number | null
  median_seconds: number | null
  is_more: boolean
  nb_delivered: number | null
  days: DayCount[]
}

type KeyFiguresInput = {
  /** Undefined if the selection has no counters. */
  totals: DayTotals | undefined
  /** Undefined until the rows are counted. */
  rows: readonly RowCount[] | undefined
  /** Undefined without a period, which means all days. */
  periods: Periods | undefined
}

/** Returns the figures of a period, and the compared figures if anything was counted before it. */
export const keyFigures = (
  counted: KeyFiguresInput,
): { now: KeyFigures; compared: KeyFigures | null; before: KeyFigures | null } => {
  const { period, period_compared, period_before } = counted.periods ?? {}
  const now = figuresOf(counted, 'now', period)
  const before = period_before ? figuresOf(counted, 'before', period_before) : null
  if (!period_compared || !(before?.nb_participants || before?.nb_opened))
    return { now, compared: null, before: null }
  return { now, compared: figuresOf(counted, 'compared', period_compared), before }
}

const figuresOf = (
  { totals, rows }: KeyFiguresInput,
  span: Span,
  period: Period | undefined,
): KeyFigures => {
  const sumOf = (kind: RowCount['kind']): number | null =>
    rows?.reduce((sum, row) => sum + (row.kind === kind ? row[span] : 0), 0) ?? null
  const times = rows?.flatMap(({ seconds, [span]: count }) =>
    seconds === null ? [] : { seconds, count },
  )
  const duration = durationSummary(times ?? [])
  const known =
    totals?.days ?? rows?.flatMap(({ day, [span]: count }) => (day === null ? [] : { day, count }))
  const inOrder = (known: DayCount[]): DayCount[] =>
    period ? daysOf(period, known) : everyDay(known)
  const days = known ? inOrder(known) : []
  return {
    nb_opened: totals?.opened[span] ?? null,
    nb_participants: totals
      ? days.reduce((sum, { count }) => sum + count, 0)
      : sumOf('participant'),
    nb_addresses: sumOf('address'),
    median_seconds: duration?.median_seconds ?? null,
    is_more: duration?.is_more ?? false,
    nb_delivered: sumOf('delivered'),
    days,
  }
}
