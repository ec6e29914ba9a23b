import { sql } from 'kysely'
import { INVITATION } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { type DatabaseClock, RENEWAL_TIME_MS } from './database-clock.ts'
import { ERASURE_LEASE_S } from './erasure-attempts.store.ts'

/** Interval between two renewals of a lease, a sixth of the shortest lease. */
const RENEW_EVERY_MS = 10_000
/** Lease of each channel in seconds, as JSON for SQL. */
const LEASE_SECONDS = JSON.stringify(
  Object.fromEntries(
    Object.entries(CHANNEL_RATE_LIMITS).map(([channel, { lease_s }]) => [channel, lease_s]),
  ),
)

/**
 * Creates a function that reads the clock, renews the leases of running work and corrects due times. A worker calls it
 * before each claim.
 */
export const createLeaseRenewer = (
  db: Db,
  clock: DatabaseClock,
): ((lease_ids: readonly string[]) => Promise<void>) => {
  let renewed_at = Number.NEGATIVE_INFINITY
  /** Sum of the backward jumps in milliseconds for which due times are not corrected yet. */
  let uncorrected_ms = 0
  /**
   * Second correction, because transactions that began before the jump may commit after the first correction. Only the
   * second one shortens leases. Otherwise, a claim that began before the jump would take over running work.
   */
  let second_correction: { by_ms: number; at: number } | undefined
  return async (lease_ids) => {
    const { jump_ms, is_continuous } = await clock.read()
    if (jump_ms < 0) {
      uncorrected_ms -= jump_ms
      second_correction = {
        by_ms: (second_correction?.by_ms ?? 0) - jump_ms,
        at: clock.elapsed() + RENEWAL_TIME_MS,
      }
    }
    if (second_correction && clock.elapsed() >= second_correction.at) {
      await shortenLeases(db, clock.now())
      uncorrected_ms += second_correction.by_ms
      second_correction = undefined
    }
    if (!is_continuous) renewed_at = Number.NEGATIVE_INFINITY
    const now = clock.now()
    if (now.getTime() - renewed_at >= RENEW_EVERY_MS) {
      if (lease_ids.length > 0) await renewLeases(db, now, lease_ids)
      renewed_at = now.getTime()
    }
    if (uncorrected_ms === 0) return
    await advanceDueTimes(db, { now, by_ms: uncorrected_ms })
    uncorrected_ms = 0
  }
}

/** Extends leases, so that no other worker claims running work. Skips locked rows, because their outcome is being stored. */
const renewLeases = async (db: Db, now: Date, lease_ids: readonly string[]): Promise<void> => {
  await sql`
    with running_delivery as (
      select quiz_id, participant_uuid, connection_id,
        ${now}::timestamptz + make_interval(secs => (${LEASE_SECONDS}::jsonb ->> provider)::integer) as until
      from deliveries where lease_id = any(${lease_ids}::uuid[])
      order by quiz_id, participant_uuid, connection_id for update skip locked
    )
    update deliveries as delivery set lease_until = until, next_attempt_at = until
    from running_delivery
    where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
      = (running_delivery.quiz_id, running_delivery.participant_uuid, running_delivery.connection_id)
  `.execute(db)
  const until = new Date(now.getTime() + ERASURE_LEASE_S * 1_000)
  await sql`
    update erasures set lease_until = ${until}, next_attempt_at = ${until}
    where id in (
      select id from erasures where lease_id = any(${lease_ids}::uuid[]) for update skip locked
    )
  `.execute(db)
  const mailed_until = new Date(now.getTime() + CHANNEL_RATE_LIMITS[INVITATION].lease_s * 1_000)
  await sql`
    with running_invitation as (
      select quiz_id, id from invitations where lease_id = any(${lease_ids}::uuid[])
      order by quiz_id, id for update skip locked
    )
    update invitations as invitation
    set lease_until = ${mailed_until}, next_attempt_at = ${mailed_until}
    from running_invitation
    where (invitation.quiz_id, invitation.id) = (running_invitation.quiz_id, running_invitation.id)
  `.execute(db)
}

/** Shortens leases of dead workers that were taken before the clock of the database jumped back. */
const shortenLeases = async (db: Db, now: Date): Promise<void> => {
  /** Latest end of a lease, because leases of erasures are the longest. */
  const max_end = new Date(now.getTime() + ERASURE_LEASE_S * 1_000)
  const times = sql`
    lease_until = least(lease_until, ${max_end}), next_attempt_at = least(next_attempt_at, ${max_end})`
  await sql`
    with leased_delivery as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where lease_id is not null and lease_until > ${max_end}
      order by quiz_id, participant_uuid, connection_id for update
    )
    update deliveries as delivery set ${times} from leased_delivery
    where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
      = (leased_delivery.quiz_id, leased_delivery.participant_uuid, leased_delivery.connection_id)
  `.execute(db)
  await sql`update erasures set ${times} where status = 'pending' and lease_until > ${max_end}`.execute(
    db,
  )
  await sql`
    with leased_invitation as (
      select quiz_id, id from invitations where lease_id is not null and lease_until > ${max_end}
      order by quiz_id, id for update
    )
    update invitations as invitation set ${times} from leased_invitation
    where (invitation.quiz_id, invitation.id) = (leased_invitation.quiz_id, leased_invitation.id)
  `.execute(db)
}

/**
 * Moves due times that were computed before the clock of the database jumped back by `by_ms`. Otherwise, the rows would
 * wait longer by this time. If several workers do this, attempts come too early, but within the rate limits. Days of
 * reminders stay, because a reminder must not come too early.
 */
const advanceDueTimes = async (
  db: Db,
  { now, by_ms }: { now: Date; by_ms: number },
): Promise<void> => {
  const advanced = (column: string) => sql`
    greatest(${now}::timestamptz, ${sql.ref(column)} - make_interval(secs => ${by_ms / 1_000}))`
  await sql`
    with waiting_delivery as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where status = 'pending' and lease_id is null and next_attempt_at > ${now}
      order by quiz_id, participant_uuid, connection_id for update
    )
    update deliveries as delivery set next_attempt_at = ${advanced('next_attempt_at')}
    from waiting_delivery
    where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
      = (waiting_delivery.quiz_id, waiting_delivery.participant_uuid, waiting_delivery.connection_id)
  `.execute(db)
  await sql`
    update erasures set next_attempt_at = ${advanced('next_attempt_at')}
    where status = 'pending' and lease_id is null and next_attempt_at > ${now}
  `.execute(db)
  await sql`
    with waiting_invitation as (
      select quiz_id, id from invitations
      where next_attempt_at > ${now} and lease_id is null and (step = 0 or attempts > 0)
      order by quiz_id, id for update
    )
    update invitations as invitation set next_attempt_at = ${advanced('next_attempt_at')}
    from waiting_invitation
    where (invitation.quiz_id, invitation.id) = (waiting_invitation.quiz_id, waiting_invitation.id)
  `.execute(db)
  await sql`
    update rate_limit_buckets
    set refilled_at = ${advanced('refilled_at')},
      held_until = case when held_until > ${now} then ${advanced('held_until')} else held_until end
    where refilled_at > ${now} or held_until > ${now}
  `.execute(db)
  await sql`
    update mail_jobs set due_at = ${advanced('due_at')} where due_at > ${now}
  `.execute(db)
}

/** Makes the deliveries, erasures and mails of campaigns of these leases due again. */
export const releaseLeases = async (
  db: Db,
  now: Date,
  lease_ids: readonly string[],
): Promise<void> => {
  for (const table of ['deliveries', 'erasures', 'invitations'])
    await sql`
      update ${sql.table(table)} set lease_id = null, lease_until = null, next_attempt_at = ${now}
      where lease_id = any(${lease_ids}::uuid[])
    `.execute(db)
}
