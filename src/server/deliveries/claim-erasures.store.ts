import { sql } from 'kysely'
import type { ErasureKind } from '#domain/erasure.ts'
import type { ChannelName } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { type Claiming, readyLimiters } from './claim.store.ts'

/**
 * After it another process takes over an erasure that this one has not settled. Longer than one may take: at Kit a refresh
 * and four calls of ten seconds each, and all of it again where the tool refuses the authorisation in between.
 */
const LEASE = sql`interval '3 minutes'`

/** An erasure that this process alone tries now, under a lease. */
export type ClaimedErasure = {
  erasure_id: string
  user_id: string
  provider: ChannelName
  connection_id: string
  kind: ErasureKind | 'event'
  quiz_ids: string[]
  sealed_person: Buffer
  key_version: number
  vendor_contact_id: string | null
  created_at: string
  attempts: number
  lease_id: string
  /** Whether it tries out a connection that was refused. */
  is_probe: boolean
  /** Of the connection's secret and address. */
  generation: number
}

/**
 * Claims due erasures within the limits of deliveries; creators take turns. A connection has at most one erasure under
 * way, and only while it has no delivery under way.
 */
export const claimErasures = async (db: Db, claiming: Claiming): Promise<ClaimedErasure[]> => {
  const { now, shares, most } = claiming
  if (most <= 0 || shares.length === 0) return []
  const isIdle = sql`not exists (
      select from deliveries as busy
      where busy.connection_id = waiting.connection_id and busy.lease_id is not null
        and busy.lease_until > ${now}
    ) and not exists (
      select from erasures as busy
      where busy.connection_id = waiting.connection_id and busy.lease_until > ${now}
    )`
  const { rows: due } = await sql<{ connection_id: string }>`
    select distinct connection_id from erasures where status = 'pending' and next_attempt_at <= ${now}
  `.execute(db)
  if (due.length === 0) return []
  return db.transaction().execute(async (leasing) => {
    // A statement after that which locks sees every lease that was taken before.
    const { rows: locked } = await sql<{ connection_id: string }>`
      select connection_id from rate_limit_buckets
      where connection_id = any(${due.map((one) => one.connection_id)}::uuid[])
      order by connection_id for update skip locked
    `.execute(leasing)
    const { rows } = await sql<ClaimedErasure>`
      with waiting as (
        select connection_id, min(next_attempt_at) as due_at from erasures
        where status = 'pending' and connection_id = any(${locked.map((one) => one.connection_id)}::uuid[])
        group by 1
      ), ready as (
        ${readyLimiters(claiming, isIdle)}
        order by creator_place, last_claimed_at
        limit ${most}
      ), chosen as (
        select found.id, ready.is_probe, ready.generation, share,
          row_number() over (partition by provider order by creator_place, last_claimed_at) as rank
        from ready cross join lateral (
          select id, provider from erasures
          where erasures.connection_id = ready.connection_id and status = 'pending'
            and next_attempt_at <= ${now}
          order by next_attempt_at, id limit 1
        ) as found
        where available >= calls
      ), leased as (
        update erasures as one
        set lease_id = gen_random_uuid(), lease_until = ${now}::timestamptz + ${LEASE},
          next_attempt_at = ${now}::timestamptz + ${LEASE}
        from chosen where one.id = chosen.id and rank <= share
        returning one.*, is_probe, generation
      ), served as (
        update rate_limit_buckets as bucket
        set last_claimed_at = ${now}, refilled_at = ${now}, tokens = ready.available - ready.calls,
          -- Another probe waits until this one has ended.
          held_until = case when ready.is_probe then ${now}::timestamptz + ${LEASE}
            else bucket.held_until end
        from ready join leased using (connection_id)
        where bucket.connection_id = ready.connection_id
      )
      select id as erasure_id, user_id, provider, connection_id, kind, quiz_ids, sealed_person,
        key_version, vendor_contact_id, created_at, attempts, lease_id, is_probe, generation
      from leased
    `.execute(leasing)
    return rows
  })
}
