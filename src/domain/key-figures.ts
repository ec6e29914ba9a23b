import { durationSummary } from './durations.ts'
import { type DayCount, everyDay } from './figures.ts'
import { daysOf, type Period, type Periods } from './periods.ts'

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
