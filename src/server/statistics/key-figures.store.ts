import { type RawBuilder, sql } from 'kysely'
import { MOST_SECONDS } from '#domain/durations.ts'
import { type DayTotals, type RowCount, SPANS, type Span } from '#domain/key-figures.ts'
import type { Period, Periods } from '#domain/periods.ts'
import { type MomentRange, momentsOfDays } from '#domain/time-zone.ts'
import type { Db } from '#server/db/database.ts'
import { TO_TOOLS } from '#server/taking/first-delivery.ts'
import type { View } from './read-view.ts'
import { isWithin } from './visits.store.ts'

/** Spans of figures, and the time zone of their days. */
type Spans = { periods?: Periods | undefined; time_zone: string }

/** Selects whether `moment` is of each span, as columns; without periods every moment is of now. */
const inSpans = (moment: string, { periods, time_zone }: Spans): RawBuilder<unknown> => {
  const column = sql.ref(moment)
  const isIn = (period: Period | null): RawBuilder<unknown> => {
    if (!period) return sql`false`
    const { from, before } = momentsOfDays(period, time_zone)
    return sql`${column} >= ${from}::timestamptz and ${column} < ${before}::timestamptz`
  }
  return sql`
    ${periods ? isIn(periods.period) : sql`true`} as is_now,
    ${isIn(periods?.period_compared ?? null)} as is_compared,
    ${isIn(periods?.period_before ?? null)} as is_before`
}

/** A column for each span. */
const eachSpan = (columnOf: (span: Span) => string): RawBuilder<unknown> =>
  sql.raw(SPANS.map(columnOf).join(', '))

const SUMS = eachSpan((span) => `sum(count) filter (where is_${span}) as ${span}`)
const ROWS = eachSpan((span) => `count(*) filter (where is_${span}) as ${span}`)

/**
 * Reads the counters kept for each quarter of an hour between two moments: participants of each day, and visits of each
 * version in each span. The visits of a version are the largest count of its steps, and at least its participants
 * (domain/visits.ts). Removals are counted at the submission, so that a short period may have a negative sum: it is 0 then.
 */
export const readDayTotals = async (
  db: Db,
  quiz_id: string,
  moments: MomentRange,
  spans: Spans,
): Promise<DayTotals> => {
  const within = isWithin(moments)
  // Visits of all time have one count a step, so that years of quarters are not read.
  const visits = sql.raw(within || spans.periods ? 'visit_counts' : 'visit_step_counts')
  const { rows } = await sql<DayTotals>`
    with came as (
      select version, quarter, count from quarter_counts
      where quiz_id = ${quiz_id} and ${within ?? sql`true`} and count > 0
    ), finished as (
      select version, ${SUMS} from (select *, ${inSpans('quarter', spans)} from came) as placed group by 1
    ), stepped as (
      select version, step, ${SUMS} from (
        select version, step, count, ${inSpans('quarter', spans)} from ${visits}
        where quiz_id = ${quiz_id} and ${within ?? sql`true`}
      ) as placed group by 1, 2
    ), visited as (
      select version, ${eachSpan((span) => `max(${span}) as ${span}`)} from stepped group by 1
    ), opened as (
      select ${eachSpan((span) => `coalesce(sum(greatest(finished.${span}, visited.${span}, 0)), 0) as ${span}`)}
      from finished full join visited using (version)
    ), daily as (
      select (quarter at time zone ${spans.time_zone})::date as day, sum(count) as count from came group by 1
    )
    select coalesce((select json_agg(daily) from daily), '[]') as days, row_to_json(opened) as opened
    from opened
  `.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('sums without groups are one row')
  return totals
}

/** How many arrived at the tools so far: with the participants, the state that `countRows` counts. */
export const nbDelivered = async (db: Db, quiz_id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from delivery_counts
    where quiz_id = ${quiz_id} and status = 'delivered' and ${sql.raw(TO_TOOLS)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts participants, their addresses, times, deliveries and days, in each span. */
export const countRows = async (
  db: Db,
  { quiz_id, condition = sql<boolean>`true` }: Pick<View, 'quiz_id' | 'condition'>,
  spans: Spans,
): Promise<RowCount[]> => {
  const { rows } = await sql<RowCount>`
    with chosen as (
      select participant_uuid, created_at, (created_at at time zone ${spans.time_zone})::date as day,
        case when consent_version is distinct from 0 then lower(email) end as address,
        elapsed_seconds
      from responses where quiz_id = ${quiz_id} and ${condition}
    ), matching as materialized (
      select *, ${inSpans('created_at', spans)} from chosen
    ), addresses as (
      select ${eachSpan((span) => `bool_or(is_${span}) as is_${span}`)}
      from matching where address is not null group by address
    ), sent as (
      select distinct participant_uuid from deliveries
      where quiz_id = ${quiz_id} and status = 'delivered' and ${sql.raw(TO_TOOLS)}
    )
    select 'participant' as what, null::integer as seconds, null::text as day, ${ROWS} from matching
    union all
    select 'address', null, null, ${ROWS} from addresses
    union all
    select 'delivered', null, null, ${ROWS} from matching join sent using (participant_uuid)
    union all
    select 'time', least(elapsed_seconds, ${sql.lit(MOST_SECONDS)}), null, ${ROWS}
    from matching where elapsed_seconds is not null group by 2
    union all
    select 'day', null, day::text, ${ROWS} from matching group by day
  `.execute(db)
  return rows
}
