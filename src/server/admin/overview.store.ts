import { sql } from 'kysely'
import type { InstallationOverview } from '#contract/admin.ts'
import type { Db } from '#server/db/database.ts'
import { NOTIFICATIONS_NAME } from '#server/db/notifications.ts'

/** Maximum number of waiting rows that are counted one by one. */
const MAX_COUNTED_ROWS = 10_000

type DatabaseState = {
  postgresql: string
  schema: string
  nb_processes: number | null
  last_backup_at: string | null
}

/** Returns the version and the schema of the database, the processes that listen to it, and its last backup. */
export const readDatabaseState = async (db: Db): Promise<DatabaseState> => {
  const { rows } = await sql<DatabaseState>`
    select current_setting('server_version') as postgresql,
      (select max(name) from schema_migrations) as schema,
      (select nullif(count(*), 0) from pg_stat_activity
        where datname = current_database() and application_name = ${NOTIFICATIONS_NAME}) as nb_processes,
      (select at from audit_events where event = 'backup_written' order by at desc limit 1)
        as last_backup_at
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database returned no state')
  return row
}

/**
 * Returns the deliveries by tool. The counters of `delivery_counts` give the totals, and an index gives the oldest waiting
 * delivery of each connection, so that no delivery is counted.
 */
export const readQueues = async (db: Db): Promise<InstallationOverview['queues']> => {
  const { rows } = await sql<InstallationOverview['queues'][number]>`
    with counters as materialized (
      select provider, connection_id,
        sum(count) filter (where status = 'pending') as waiting,
        sum(count) filter (where status = 'refused') as failed
      from delivery_counts group by provider, connection_id
    ), delayed as (
      select provider, count(*) as nb_delayed from (
        select provider from deliveries
        where status = 'pending' and next_attempt_at > now() limit ${MAX_COUNTED_ROWS}
      ) as later group by provider
    )
    select provider,
      coalesce(sum(waiting), 0)::bigint as nb_waiting,
      coalesce((select nb_delayed from delayed where delayed.provider = counters.provider), 0) as nb_delayed,
      coalesce(sum(failed), 0)::bigint as nb_failed,
      min(case when waiting > 0 then (
        select next_attempt_at from deliveries
        where deliveries.connection_id = counters.connection_id and status = 'pending'
          and next_attempt_at is not null
        order by next_attempt_at limit 1
      ) end) as oldest_due_at
    from counters group by provider order by provider
  `.execute(db)
  return rows
}

/** Returns the number of waiting account mails, and the due time of the one that waits longest. */
export const readMailQueue = async (
  db: Db,
): Promise<{ nb_waiting: number; oldest_due_at: string | null }> => {
  const { rows } = await sql<{ nb_waiting: number; oldest_due_at: string | null }>`
    select count(*) as nb_waiting, min(due_at) as oldest_due_at
    from (select due_at from mail_jobs order by due_at limit ${MAX_COUNTED_ROWS}) as waiting
  `.execute(db)
  return rows[0] ?? { nb_waiting: 0, oldest_due_at: null }
}
