import { sql } from 'kysely'
import type { ChannelName } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import type { Db } from '#server/db/database.ts'
import type { ErasureOutcome } from '#server/integrations/providers/provider.ts'
import { type ClaimContext, readyLimiters } from './claim-deliveries.store.ts'
import { decideAfterFailure } from './settlement.ts'
import { expiresAt } from './settlements.store.ts'

/**
 * Lease of an erasure in seconds, after which another process claims it. The lease is longer than the slowest attempt:
 * at Kit, two rounds of a refresh and four calls of ten seconds.
 */
export const ERASURE_LEASE_S = 180
const LEASE = sql`make_interval(secs => ${sql.lit(ERASURE_LEASE_S)})`

/** Erasure that this process has claimed under a lease. No other process attempts the erasure before the lease ends. */
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
  /** True if the attempt is a probe of a connection that was refused. */
  is_probe: boolean
  /** Generation of the connection's secret and address. */
  generation: number
}

/**
 * Claims due erasures within the rate limits of deliveries, in turns between creators. A connection has at most one
 * running erasure, and only while no delivery runs.
 */
export const claimErasures = async (db: Db, claiming: ClaimContext): Promise<ClaimedErasure[]> => {
  const { now, lease_cutoff = now, shares, limit } = claiming
  if (limit <= 0 || shares.length === 0) return []
  const isIdle = sql`not exists (
      select from deliveries as running_delivery
      where running_delivery.connection_id = due_connections.connection_id
        and running_delivery.lease_id is not null and running_delivery.lease_until > ${lease_cutoff}
    ) and not exists (
      select from erasures as running_erasure
      where running_erasure.connection_id = due_connections.connection_id
        and running_erasure.lease_until > ${lease_cutoff}
    )`
  const { rows: due } = await sql<{ connection_id: string }>`
    select distinct connection_id from erasures where status = 'pending' and next_attempt_at <= ${now}
  `.execute(db)
  if (due.length === 0) return []
  return db.transaction().execute(async (leasing) => {
    // The claim is a second statement after the lock, so that it sees all leases taken before.
    const { rows: locked } = await sql<{ connection_id: string }>`
      select connection_id from rate_limit_buckets
      where connection_id = any(${due.map((erasure) => erasure.connection_id)}::uuid[])
      order by connection_id for update skip locked
    `.execute(leasing)
    const { rows } = await sql<ClaimedErasure>`
      with due_connections as (
        select connection_id, min(next_attempt_at) as due_at from erasures
        where status = 'pending' and connection_id = any(${locked.map((connection) => connection.connection_id)}::uuid[])
        group by 1
      ), ready_limiters as (
        ${readyLimiters(claiming, isIdle)}
        order by creator_place, last_claimed_at
        limit ${limit}
      ), selected_erasures as (
        select due_erasure.id, ready_limiters.is_probe, ready_limiters.generation, share,
          row_number() over (partition by provider order by creator_place, last_claimed_at) as rank
        from ready_limiters cross join lateral (
          select id, provider from erasures
          where erasures.connection_id = ready_limiters.connection_id and status = 'pending'
            and next_attempt_at <= ${now}
          order by next_attempt_at, id limit 1
        ) as due_erasure
        where available >= calls
      ), claimed_erasures as (
        update erasures as erasure
        set lease_id = coalesce(${claiming.lease_id ?? null}::uuid, gen_random_uuid()), lease_until = ${now}::timestamptz + ${LEASE},
          next_attempt_at = ${now}::timestamptz + ${LEASE}
        from selected_erasures where erasure.id = selected_erasures.id and rank <= share
        returning erasure.*, is_probe, generation
      ), charged_limiters as (
        update rate_limit_buckets as bucket
        set last_claimed_at = ${now}, refilled_at = ${now}, tokens = ready_limiters.available - ready_limiters.calls,
          -- Another probe waits until this one has ended.
          held_until = case when ready_limiters.is_probe then ${now}::timestamptz + ${LEASE}
            else bucket.held_until end
        from ready_limiters join claimed_erasures using (connection_id)
        where bucket.connection_id = ready_limiters.connection_id
      )
      select id as erasure_id, user_id, provider, connection_id, kind, quiz_ids, sealed_person,
        key_version, vendor_contact_id, created_at, attempts, lease_id, is_probe, generation
      from claimed_erasures
    `.execute(leasing)
    return rows
  })
}

/**
 * Stores the outcome of an erasure. Deletes the sealed person if the erasure is done. Writes nothing if another
 * process has claimed the expired lease.
 */
export const settleErasure = async (
  db: Db,
  { erasure_id, lease_id, attempts }: ClaimedErasure,
  { outcome, now, chance }: { outcome: ErasureOutcome; now: Date; chance: number },
): Promise<void> => {
  const { status, next_in, is_attempt, code } =
    outcome.kind === 'erased'
      ? { status: 'done', next_in: null, is_attempt: true, code: outcome.code }
      : decideAfterFailure(outcome, attempts, { chance })
  const next_at = sql`${now}::timestamptz + make_interval(secs => ${next_in})`
  await sql`
    with locked_erasure as (
      select id, case
          when ${status} = 'pending' and ${is_attempt} and ${next_at} > ${expiresAt('erasures', now)} then 'refused'
          else ${status}
        end as new_status
      from erasures where id = ${erasure_id} and lease_id = ${lease_id} for update
    ), updated_erasure as (
      update erasures as erasure
      set status = new_status, lease_id = null, lease_until = null, last_code = ${code},
        attempts = erasure.attempts + ${is_attempt}::boolean::integer,
        next_attempt_at = case when new_status = 'pending' then ${next_at} end,
        settled_at = case when new_status <> 'pending' then ${now}::timestamptz end,
        sealed_person = case when new_status <> 'done' then sealed_person end,
        vendor_contact_id = case when new_status <> 'done' then vendor_contact_id end
      from locked_erasure where erasure.id = locked_erasure.id
      returning erasure.*
    )
    insert into audit_events (at, event, outcome, actor_id, object_id, detail)
    select ${now}, 'erasure_settled', case status when 'done' then 'ok' else 'failed' end, user_id,
      id::text, concat_ws(' ', provider, kind, last_code)
    from updated_erasure where status <> 'pending'
  `.execute(db)
}

/**
 * Schedules new deliveries for participants who came back after the erasure of their address was requested. The tool
 * deleted the whole contact, including newer data. Earlier deliveries are already cancelled.
 */
export const resendReturningParticipants = async (
  db: Db,
  {
    user_id,
    connection_id,
    email,
  }: Pick<ClaimedErasure, 'user_id' | 'connection_id'> & { email: string },
  now: Date,
): Promise<void> => {
  await sql`
    with returning_participants as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where connection_id = ${connection_id} and status in ('pending', 'delivered')
        and (quiz_id, participant_uuid) in (
          select quiz_id, participant_uuid from responses
          where quiz_id in (select id from all_quizzes where creator_id = ${user_id})
            and lower(email) = lower(${email})
        )
      order by 1, 2, 3 for update
    )
    update deliveries as delivery set status = 'pending', attempts = 0, completed_calls = null, settled_at = null,
      next_attempt_at = ${now}, give_up_at = ${now}::timestamptz + interval '${sql.raw(MAX_DELIVERY_AGE)}'
    from returning_participants
    where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
      = (returning_participants.quiz_id, returning_participants.participant_uuid,
        returning_participants.connection_id)
  `.execute(db)
}
