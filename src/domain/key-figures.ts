import { durationSummary } from './durations.ts'
import { type DayCount, everyDay } from './figures.ts'
import { daysOf, type Period } from './periods.ts'

/** What the kept counters say of a period and of the one before: days, and visits that opened the quiz. */
export type DayTotals = {
  days: (DayCount & { is_before: boolean })[]
  nb_opened: number
  nb_opened_before: number
}

/** What was counted of participants, one by one: so many of this kind, of these seconds or of this day. */
export type RowCount = {
  what: 'participant' | 'address' | 'delivered' | 'time' | 'day'
  is_before: boolean
  seconds: number | null
  day: string | null
  count: number
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
  /** The periods now and before; undefined where there is nothing before. */
  periods: { period: Period; period_before: Period } | undefined
}

/** The figures of a period, and those of the one before when anything was counted in it. */
export const keyFigures = (counted: Counted): { now: KeyFigures; before: KeyFigures | null } => {
  const { periods } = counted
  const now = figuresOf(counted, false, periods?.period)
  const before = periods ? figuresOf(counted, true, periods.period_before) : null
  return { now, before: before?.nb_participants || before?.nb_opened ? before : null }
}

const figuresOf = (
  { totals, rows }: Counted,
  is_before: boolean,
  period: Period | undefined,
): KeyFigures => {
  const own = rows?.filter((one) => one.is_before === is_before)
  const sumOf = (what: RowCount['what']): number | null =>
    own?.reduce((sum, one) => sum + (one.what === what ? one.count : 0), 0) ?? null
  const times = own?.flatMap(({ seconds, count }) => (seconds === null ? [] : { seconds, count }))
  const duration = durationSummary(times ?? [])
  const days = totals
    ? totals.days.filter((one) => one.is_before === is_before)
    : own?.flatMap(({ day, count }) => (day === null ? [] : { day, count }))
  const inOrder = (known: DayCount[]): DayCount[] =>
    period ? daysOf(period, known) : everyDay(known)
  const nb_opened = is_before ? totals?.nb_opened_before : totals?.nb_opened
  return {
    nb_opened: nb_opened ?? null,
    nb_participants: totals
      ? (days ?? []).reduce((sum, { count }) => sum + count, 0)
      : sumOf('participant'),
    nb_addresses: sumOf('address'),
    median_seconds: duration?.median_seconds ?? null,
    is_more: duration?.is_more ?? false,
    nb_delivered: sumOf('delivered'),
    days: days ? inOrder(days.map(({ day, count }) => ({ day, count }))) : [],
  }
}
