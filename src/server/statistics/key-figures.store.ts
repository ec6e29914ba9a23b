import { type RawBuilder, sql } from 'kysely'
import { MOST_SECONDS } from '#domain/durations.ts'
import type { DayTotals, RowCount } from '#domain/key-figures.ts'
import type { Db } from '#server/db/database.ts'
import { TO_TOOLS } from '#server/taking/first-delivery.ts'
import type { Condition } from './matching.ts'
import type { Days } from './visits.store.ts'

/** The first moment of a day of Paris; without one, before all. */
const startOf = (day: string | undefined): RawBuilder<string> =>
  day === undefined
    ? sql`'-infinity'::timestamptz`
    : sql`(${day}::date::timestamp at time zone 'Europe/Paris')`

/**
 * What the counters kept for each day say of these days: participants of each day, and visits of each version, apart
 * for those before the day `since`. A version was opened by as many as came to any of its steps, and at least by
 * its participants, as in domain/visits.ts.
 */
export const readDayTotals = async (
  db: Db,
  quiz_id: string,
  {
    from = '-infinity',
    to = 'infinity',
    since = '-infinity',
  }: Days & { since?: string | undefined },
): Promise<DayTotals> => {
  const { rows } = await sql<DayTotals>`
    with came as (
      select version, day, count, day < ${since}::date as is_before from day_counts
      where quiz_id = ${quiz_id} and day between ${from}::date and ${to}::date and count > 0
    ), finished as (
      select is_before, version, sum(count) as count from came group by 1, 2
    ), stepped as (
      select day < ${since}::date as is_before, version, step, sum(count) as count from visit_counts
      where quiz_id = ${quiz_id} and day between ${from}::date and ${to}::date group by 1, 2, 3
    ), visited as (
      select is_before, version, max(count) as count from stepped group by 1, 2
    ), opened as (
      select is_before, sum(greatest(finished.count, visited.count)) as count
      from finished full join visited using (is_before, version) group by 1
    ), daily as (
      select day, is_before, sum(count) as count from came group by 1, 2
    )
    select
      coalesce((select json_agg(daily) from daily), '[]') as days,
      coalesce((select sum(count) from opened where not is_before), 0)::integer as nb_opened,
      coalesce((select sum(count) from opened where is_before), 0)::integer as nb_opened_before
  `.execute(db)
  return rows[0] ?? { days: [], nb_opened: 0, nb_opened_before: 0 }
}

/** How many arrived at the tools so far: with the participants, the state that `countRows` counts. */
export const nbDelivered = async (db: Db, quiz_id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from delivery_counts
    where quiz_id = ${quiz_id} and status = 'delivered' and ${sql.raw(TO_TOOLS)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts participants, their addresses, times, deliveries and days, apart for those before the day `since`. */
export const countRows = async (
  db: Db,
  {
    quiz_id,
    condition = sql<boolean>`true`,
    since,
  }: { quiz_id: string; condition: Condition | undefined; since: string | undefined },
): Promise<RowCount[]> => {
  const { rows } = await sql<RowCount>`
    with matching as materialized (
      select participant_uuid, created_at < ${startOf(since)} as is_before,
        (created_at at time zone 'Europe/Paris')::date::text as day,
        case when consent_version is distinct from 0 then lower(email) end as address,
        elapsed_seconds
      from responses where quiz_id = ${quiz_id} and ${condition}
    ), addresses as (
      select distinct is_before, address from matching where address is not null
    ), sent as (
      select distinct participant_uuid from deliveries
      where quiz_id = ${quiz_id} and status = 'delivered' and ${sql.raw(TO_TOOLS)}
    )
    select 'participant' as what, is_before, null::integer as seconds, null::text as day, count(*) as count
    from matching group by 2
    union all
    select 'address', is_before, null, null, count(*) from addresses group by 2
    union all
    select 'delivered', is_before, null, null, count(*) from matching join sent using (participant_uuid) group by 2
    union all
    select 'time', is_before, least(elapsed_seconds, ${sql.lit(MOST_SECONDS)}), null, count(*)
    from matching where elapsed_seconds is not null group by 2, 3
    union all
    select 'day', is_before, null, day, count(*) from matching group by 2, 4
  `.execute(db)
  return rows
}
