import { type DayCount, everyDay } from './figures.ts'
import { daysOf, type Period, type Periods } from './periods.ts'

/** Longer than two hours is counted as two hours: the page was left open. */
export const MAX_DURATION_S = 7_200

/** How many participants took so many whole seconds. */
export type DurationCount = { seconds: number; count: number }

/** How long the participants took whose time is known; `is_more` when the half took `seconds` or more. */
export type DurationSummary = { count: number; median_seconds: number; is_more: boolean }

/**
 * The median time to finish, exact from counts; null when no time is known. Between the two in the
 * middle it is their mean.
 */
export const durationSummary = (counts: readonly DurationCount[]): DurationSummary | null => {
  const sorted = counts.filter(({ count }) => count > 0).sort((a, b) => a.seconds - b.seconds)
  const count = sorted.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return null
  const upper = secondsAt(sorted, Math.floor(count / 2))
  const lower = secondsAt(sorted, Math.floor((count - 1) / 2))
  return { count, median_seconds: (lower + upper) / 2, is_more: upper >= MAX_DURATION_S }
}

/** What the participant of this rank took, the quickest being 0. */
const secondsAt = (sorted: readonly DurationCount[], rank: number): number => {
  let before = 0
  for (const { seconds, count } of sorted) {
    before += count
    if (rank < before) return seconds
  }
  return 0
}

/** The days that figures are made of: all that are asked for, those of them that are compared, and those before. */
export const SPANS = ['now', 'compared', 'before'] as const
export type Span = (typeof SPANS)[number]
/** A number for each of them; a day may be one of several. */
type OfSpans = Record<Span, number>

/** What the kept counters say: days, and visits that opened the quiz. */
export type DayTotals = { days: DayCount[]; opened: OfSpans }

/** What was counted of participants, one by one: so many of this kind, of these seconds or of this day. */
export type RowCount = OfSpans & {
  what: 'participant' | 'address' | 'delivered' | 'time' | 'day'
  seconds: number | null
  day: string | null
}

/** What is null was not counted, or is not known yet. */
export type KeyFigures = {
  nb_opened: number | null
  nb_participants: number | null
  nb_addresses: number | null
  median_seconds: number | null
  is_more: boolean
  nb_delivered: number | null
  days: DayCount[]
}

type Counted = {
  /** Undefined where no counters are kept of the selection. */
  totals: DayTotals | undefined
  /** Undefined while they are being counted. */
  rows: readonly RowCount[] | undefined
  /** Undefined of all days. */
  periods: Periods | undefined
}

/**
 * The figures of a period; and, when anything was counted in the days before, those of both that are compared.
 */
export const keyFigures = (
  counted: Counted,
): { now: KeyFigures; compared: KeyFigures | null; before: KeyFigures | null } => {
  const { period, period_compared, period_before } = counted.periods ?? {}
  const now = figuresOf(counted, 'now', period)
  const before = period_before ? figuresOf(counted, 'before', period_before) : null
  if (!period_compared || !(before?.nb_participants || before?.nb_opened))
    return { now, compared: null, before: null }
  return { now, compared: figuresOf(counted, 'compared', period_compared), before }
}

const figuresOf = (
  { totals, rows }: Counted,
  span: Span,
  period: Period | undefined,
): KeyFigures => {
  const sumOf = (what: RowCount['what']): number | null =>
    rows?.reduce((sum, one) => sum + (one.what === what ? one[span] : 0), 0) ?? null
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
