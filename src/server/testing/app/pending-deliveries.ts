import type { TestApp } from './test-app.ts'

/** Returns the number of pending deliveries and erasures. */
export const countPending = async (pool: TestApp['pool']): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select (select count(*) from deliveries where status = 'pending')
      + (select count(*) from erasures where status = 'pending') as count`,
  )
  return Number(rows[0]?.count)
}

/** Returns pending deliveries and erasures as JSON, for the message of a failure. */
export const describePending = async (db: TestApp['db'], now: Date): Promise<string> => {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('rate_limit_buckets as bucket', 'bucket.connection_id', 'deliveries.connection_id')
    .leftJoin('delivery_attempts as tried', (join) =>
      join
        .onRef('tried.quiz_id', '=', 'deliveries.quiz_id')
        .onRef('tried.participant_uuid', '=', 'deliveries.participant_uuid')
        .onRef('tried.connection_id', '=', 'deliveries.connection_id'),
    )
    .select(['deliveries.provider', 'next_attempt_at', 'lease_until', 'attempts'])
    .select(['tokens', 'refilled_at', 'held_until', 'blocked_since', 'at', 'code', 'ms'])
    .where('status', '=', 'pending')
    .execute()
  const erasures = await db
    .selectFrom('erasures')
    .select(['provider', 'kind', 'next_attempt_at', 'lease_until', 'attempts', 'last_code'])
    .where('status', '=', 'pending')
    .execute()
  return JSON.stringify({ now, rows, erasures })
}
