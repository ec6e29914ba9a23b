import { type RawBuilder, sql } from 'kysely'
import { type ChannelName, CONFIRMATION, type QuizType } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { Db } from '#server/db/database.ts'
import { prepared } from '#server/db/kysely-pool.ts'
import type { CredentialProblem } from '#server/integrations/providers/provider.ts'
import {
  CONFIRMATION_COLUMNS,
  CONFIRMATION_TIME,
  CONFIRMATION_VALUES,
} from '#server/responses/consent.store.ts'
import type { ClaimedDelivery } from './claim-deliveries.store.ts'
import type { Settlement } from './settlement.ts'

/** Maximum age of a delivery; a manual retry resets the age. */
const AGE = sql`interval '${sql.raw(MAX_DELIVERY_AGE)}'`

/**
 * Returns the SQL expression for the expiry time of a row. Periods in which the connection was unusable extend the
 * time.
 */
export const expiresAt = (table: 'deliveries' | 'erasures', now: Date): RawBuilder<unknown> => {
  const [give_up_at, connection_id] = [
    sql.ref(`${table}.give_up_at`),
    sql.ref(`${table}.connection_id`),
  ]
  return sql`
    ${give_up_at} + coalesce((
      select sum(until - greatest(since, ${give_up_at} - ${AGE})) from delivery_pauses as pause
      where pause.connection_id = ${connection_id} and until > ${give_up_at} - ${AGE}
    ), interval '0') + coalesce((
      select ${now}::timestamptz - greatest(blocked_since, ${give_up_at} - ${AGE})
      from rate_limit_buckets as bucket
      where bucket.connection_id = ${connection_id} and blocked_since is not null
    ), interval '0')`
}

/**
 * Writes the outcomes of attempts in one statement. Skips attempts whose expired lease another process has claimed.
 * Refuses deliveries beyond the maximum age.
 */
export const writeSettlements = async (
  db: Db,
  now: Date,
  settled: readonly Settlement[],
): Promise<void> => {
  await sql`${prepared('write-settlements')}
    with settlement as (
      select * from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as row(
        quiz_id uuid, participant_uuid uuid, connection_id uuid, lease_id uuid, status text,
        next_in double precision, due_at timestamptz, is_attempt boolean, is_replaced boolean, completed_calls jsonb, code text,
        outcome text, ms integer
      )
    ), locked_delivery as (
      select settlement.*, coalesce(due_at, ${now}::timestamptz + make_interval(secs => next_in)) as next_at,
        ${expiresAt('deliveries', now)} as give_up_at
      from settlement join deliveries using (quiz_id, participant_uuid, connection_id, lease_id)
      order by quiz_id, participant_uuid, connection_id
      for update of deliveries
    ), updated_deliveries as (
      update deliveries as delivery
      set status = case
          when locked_delivery.status = 'pending' and is_attempt and next_at > locked_delivery.give_up_at then 'refused'
          else locked_delivery.status
        end,
        -- A delivery of the trash has no due time until its quiz is restored.
        next_attempt_at = case when not exists (
          select from all_quizzes where all_quizzes.id = delivery.quiz_id and trashed_at is not null
        ) then next_at end,
        attempts = delivery.attempts + locked_delivery.is_attempt::integer,
        lease_id = null, lease_until = null,
        completed_calls = locked_delivery.completed_calls, last_code = code,
        is_replaced = delivery.is_replaced or (locked_delivery.status = 'delivered' and locked_delivery.is_replaced),
        settled_at = case when locked_delivery.status = 'pending' then null else ${now}::timestamptz end
      from locked_delivery
      where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
        = (locked_delivery.quiz_id, locked_delivery.participant_uuid, locked_delivery.connection_id)
      returning delivery.quiz_id, delivery.participant_uuid, delivery.connection_id, delivery.provider,
        delivery.status, delivery.last_code
    ), new_audit_events as (
      insert into audit_events (at, event, outcome, object_id, detail)
      select ${now}, 'delivery_given_up', 'failed', quiz_id::text, provider || ' ' || coalesce(last_code, '')
      from updated_deliveries where status = 'refused'
    ), awaited_confirmations as (
      -- The days of a confirmation count from the first mail that left, or from its refusal.
      insert into email_confirmations as confirmation (${sql.raw(CONFIRMATION_COLUMNS)}, waits_since_s)
      select ${sql.raw(CONFIRMATION_VALUES)}, ${sql.raw(CONFIRMATION_TIME)}
      from updated_deliveries join responses using (quiz_id, participant_uuid)
      where provider = ${CONFIRMATION} and status <> 'pending' and email_confirmation is not null
      order by 1, 2
      on conflict (quiz_id, participant_uuid) do update set waits_since_s = case
        when confirmation.waits_since_s is null or confirmation.reminded_at is null and exists (
          select from updated_deliveries as mailed
          where mailed.provider = ${CONFIRMATION} and mailed.status = 'delivered'
            and (mailed.quiz_id, mailed.participant_uuid) = (confirmation.quiz_id, confirmation.participant_uuid)
        ) then excluded.waits_since_s
        else confirmation.waits_since_s
      end
    )
    insert into delivery_attempts (quiz_id, participant_uuid, connection_id, at, outcome, code, ms)
    select quiz_id, participant_uuid, connection_id, ${now}, outcome, code, ms
    from locked_delivery join updated_deliveries using (quiz_id, participant_uuid, connection_id)
    on conflict do nothing
  `.execute(db)
}

/** Pauses the rate limiter of a connection for the time that the tool requested. */
export const pauseLimiter = async (
  db: Db,
  connection_id: string,
  { now, wait_ms }: { now: Date; wait_ms: number },
): Promise<void> => {
  const until = new Date(now.getTime() + wait_ms)
  await sql`
    update rate_limit_buckets set held_until = greatest(held_until, ${until}), tokens = 0,
      refilled_at = ${until}
    where connection_id = ${connection_id}
  `.execute(db)
}

/** Takes tokens for the calls of a delivery after its first. */
export const chargeLimiter = async (
  db: Db,
  connection_id: string,
  calls: number,
): Promise<void> => {
  await sql`
    update rate_limit_buckets set tokens = tokens - ${calls}::real where connection_id = ${connection_id}
  `.execute(db)
}

/** Blocked connection whose creator must be notified. */
export type BlockedConnection = {
  user_id: string
  provider: ChannelName
  /** Reason code. */
  code: CredentialProblem['code']
  nb_waiting: number
  /** Quiz, its type and URL of a webhook; null for other channels. */
  quiz_id: string | null
  quiz_type: QuizType | null
  url: string | null
}

/**
 * Blocks a connection that its tool refuses; its deliveries wait and do not age. Returns the connection if its
 * creator was not notified before. Does nothing if the secret or address changed since the attempt began.
 */
export const blockConnection = async (
  db: Db,
  { connection_id, generation }: Pick<ClaimedDelivery, 'connection_id' | 'generation'>,
  { problem, now, probe_s }: { problem: CredentialProblem; now: Date; probe_s: number },
): Promise<BlockedConnection | undefined> => {
  const probe_at = problem.needs_reconnect ? null : new Date(now.getTime() + probe_s * 1_000)
  await sql`
    update rate_limit_buckets set blocked_since = coalesce(blocked_since, ${now}),
      held_until = ${probe_at}
    from integration_connections as connection
    where connection_id = ${connection_id} and connection.id = connection_id
      and generation = ${generation}
  `.execute(db)
  const { rows } = await sql<Omit<BlockedConnection, 'code'>>`
    with previous_connection as (
      select id, notified_at from integration_connections
      where id = ${connection_id} and generation = ${generation}
        and status in ('active', 'needs_attention')
      for no key update
    ), blocked_connection as (
      update integration_connections as connection
      set status = 'needs_attention', status_reason = ${problem.code}, updated_at = now(),
        notified_at = coalesce(connection.notified_at, ${now})
      from previous_connection where connection.id = previous_connection.id
      returning user_id, provider, quiz_id, previous_connection.notified_at as previous_notified_at
    )
    select user_id, provider, quiz_id,
      (select type from quizzes where quizzes.id = blocked_connection.quiz_id) as quiz_type,
      (select url from webhooks where webhooks.connection_id = ${connection_id}) as url, (
      select count(*) from deliveries where connection_id = ${connection_id} and status = 'pending'
    ) as nb_waiting
    from blocked_connection where previous_notified_at is null
  `.execute(db)
  return rows[0] && { ...rows[0], code: problem.code }
}

/**
 * Resumes connections that work again, and records the pause in which their deliveries did not age. Updates no
 * delivery, so that the cost does not depend on their number.
 */
export const resumeConnections = async (db: Db, now: Date): Promise<void> => {
  await sql`${prepared('resume-connections')}
    with usable_connections as (
      select connection_id, blocked_since from rate_limit_buckets as bucket
      join integration_connections as connection on connection.id = connection_id
      where blocked_since is not null and connection.status = 'active'
      for update of bucket skip locked
    ), resumed_limiters as (
      update rate_limit_buckets set blocked_since = null, held_until = null
      where connection_id in (select connection_id from usable_connections)
    ), updated_connections as (
      update integration_connections set notified_at = null
      where id in (select connection_id from usable_connections) and notified_at is not null
    )
    insert into delivery_pauses (connection_id, since, until)
    select connection_id, blocked_since, ${now} from usable_connections
    on conflict do nothing
  `.execute(db)
}

/** Marks a blocked connection as active after a delivery succeeded. */
export const unblockConnection = async (db: Db, connection_id: string): Promise<void> => {
  await sql`
    update integration_connections set status = 'active', status_reason = null, updated_at = now()
    where id = ${connection_id} and status = 'needs_attention'
  `.execute(db)
}

/** Records the time from which connections are disconnected or blocked by another process. */
export const recordUnusableConnections = async (db: Db, now: Date): Promise<void> => {
  await sql`${prepared('record-unusable-connections')}
    update rate_limit_buckets set blocked_since = ${now}
    from integration_connections as connection
    where connection.id = connection_id and blocked_since is null and connection.status <> 'active'
  `.execute(db)
}

/** Deletes attempts and pauses older than thirty days. */
export const deleteOldAttempts = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from delivery_attempts where at < ${now}::timestamptz - interval '30 days'
  `.execute(db)
  await sql`
    delete from delivery_pauses where until < ${now}::timestamptz - interval '30 days'
  `.execute(db)
}
