import { type RawBuilder, sql } from 'kysely'
import { type MomentRange, momentsOfDays } from '#domain/statistics/filter-choices.ts'
import {
  type DayTotals,
  MAX_DURATION_S,
  type RowCount,
  SPANS,
  type Span,
} from '#domain/statistics/key-figures.ts'
import type { Period, Periods } from '#domain/statistics/periods.ts'
import type { Db } from '#server/db/database.ts'
import { IS_TOOL_DELIVERY } from '#server/responses/consent.store.ts'
import { isWithin } from '#server/statistics/counters/counters.store.ts'
import type { View } from './read-view.ts'

/** Periods of the figures, and the time zone of their days. */
type Spans = { periods?: Periods | undefined; time_zone: string }

/**
 * Returns SQL columns that tell to which period `moment` belongs. Without periods every moment belongs to the
 * current one.
 */
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

/** Returns SQL columns, one per period. */
const eachSpan = (columnOf: (span: Span) => string): RawBuilder<unknown> =>
  sql.raw(SPANS.map(columnOf).join(', '))

const SUMS = eachSpan((span) => `sum(count) filter (where is_${span}) as ${span}`)

const ROWS = eachSpan((span) => `count(*) filter (where is_${span}) as ${span}`)

/**
 * Reads participants per day and visits per version and period, from the counters of each quarter of an hour.
 * The visits of a version are the largest count of its steps, and at least its participants
 * (domain/statistics/visits.ts). Negative sums after removals count as 0.
 */
export const readDayTotals = async (
  db: Db,
  quiz_id: string,
  moments: MomentRange,
  spans: Spans,
): Promise<DayTotals> => {
  const within = isWithin(moments)
  // Reads one counter per step instead of years of quarters if there are no limits.
  const visits = sql.raw(within || spans.periods ? 'visit_counts' : 'visit_step_counts')
  const { rows } = await sql<DayTotals>`
    with participant_quarters as (
      select version, quarter, count from quarter_counts
      where quiz_id = ${quiz_id} and ${within ?? sql`true`} and count > 0
    ), participant_totals as (
      select version, ${SUMS} from (
        select *, ${inSpans('quarter', spans)} from participant_quarters
      ) as spans group by 1
    ), step_totals as (
      select version, step, ${SUMS} from (
        select version, step, count, ${inSpans('quarter', spans)} from ${visits}
        where quiz_id = ${quiz_id} and ${within ?? sql`true`}
      ) as spans group by 1, 2
    ), version_visits as (
      select version, ${eachSpan((span) => `max(${span}) as ${span}`)} from step_totals group by 1
    ), visit_totals as (
      select ${eachSpan((span) => `coalesce(sum(greatest(participant_totals.${span}, version_visits.${span}, 0)), 0) as ${span}`)}
      from participant_totals full join version_visits using (version)
    ), daily_counts as (
      select (quarter at time zone ${spans.time_zone})::date as day, sum(count) as count
      from participant_quarters group by 1
    )
    select coalesce((select json_agg(daily_counts) from daily_counts), '[]') as days,
      row_to_json(visit_totals) as opened
    from visit_totals
  `.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('sums without groups are one row')
  return totals
}

/** Returns the number of deliveries that arrived at email tools. */
export const countDelivered = async (db: Db, quiz_id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from delivery_counts
    where quiz_id = ${quiz_id} and status = 'delivered' and ${sql.raw(IS_TOOL_DELIVERY)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts participants, email addresses, durations, deliveries and days in each period. */
export const countRows = async (
  db: Db,
  { quiz_id, condition = sql<boolean>`true` }: Pick<View, 'quiz_id' | 'condition'>,
  spans: Spans,
): Promise<RowCount[]> => {
  const { rows } = await sql<RowCount>`
    with selection as (
      select participant_uuid, created_at, (created_at at time zone ${spans.time_zone})::date as day,
        case when consent_version is distinct from 0 then lower(email) end as address,
        elapsed_seconds
      from responses where quiz_id = ${quiz_id} and ${condition}
    ), selected_participants as materialized (
      select *, ${inSpans('created_at', spans)} from selection
    ), addresses as (
      select ${eachSpan((span) => `bool_or(is_${span}) as is_${span}`)}
      from selected_participants where address is not null group by address
    ), delivered_participants as (
      select distinct participant_uuid from deliveries
      where quiz_id = ${quiz_id} and status = 'delivered' and ${sql.raw(IS_TOOL_DELIVERY)}
    )
    select 'participant' as kind, null::integer as seconds, null::text as day, ${ROWS}
    from selected_participants
    union all
    select 'address', null, null, ${ROWS} from addresses
    union all
    select 'delivered', null, null, ${ROWS}
    from selected_participants join delivered_participants using (participant_uuid)
    union all
    select 'time', least(elapsed_seconds, ${sql.lit(MAX_DURATION_S)}), null, ${ROWS}
    from selected_participants where elapsed_seconds is not null group by 2
    union all
    select 'day', null, day::text, ${ROWS} from selected_participants group by day
  `.execute(db)
  return rows
}
