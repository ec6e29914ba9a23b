import { type RawBuilder, sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { Db } from '#server/db/database.ts'
import { CONFIRMATION_COLUMNS, CONFIRMATION_VALUES } from '#server/responses/consent.store.ts'
import { RESPONSES_CHANNEL } from '#server/responses/response-events.ts'

/** Key of a participant. */
export type ParticipantKey = { quiz_id: string; participant_uuid: string }

/** Request to confirm an address, with the consent text that the participant accepted. */
export type ConfirmationRequest = {
  state: ConfirmationState
  /** Version that the participant took. */
  version: number
  /** Time zone of the creator. */
  time_zone: string
  /** True if the participant has withdrawn the consent since. */
  is_withdrawn: boolean
  email: string
  confirmed_at: string | null
  /** Null if no text was accepted. */
  consent_text: string | null
  /** True if the quiz sends participants their result. */
  is_mailed: boolean
}

/**
 * Returns the request to confirm the address of a participant; undefined if the participant was not asked, or was
 * erased. A withdrawn quiz, or one in the trash, changes nothing, because a restoration brings its deliveries back.
 */
export const findConfirmationRequest = async (
  db: Db,
  { quiz_id, participant_uuid }: ParticipantKey,
): Promise<ConfirmationRequest | undefined> => {
  const { rows } = await sql<ConfirmationRequest>`
    select email_confirmation as state, responses.version,
      coalesce(time_zone, ${DEFAULT_TIME_ZONE}) as time_zone, responses.consent_version is not distinct from 0 as is_withdrawn,
      coalesce(confirmation.email, responses.email) as email, confirmed_at,
      (
        select text from consent_texts
        where consent_texts.quiz_id = responses.quiz_id and kind = 'forwarding'
          and version = coalesce(confirmation.consent_version, responses.consent_version)
      ) as consent_text,
      exists (
        select from deliveries
        where deliveries.quiz_id = responses.quiz_id and provider = 'mail'
          and deliveries.participant_uuid = responses.participant_uuid
      ) as is_mailed
    from responses left join email_confirmations as confirmation using (quiz_id, participant_uuid)
    join all_quizzes on all_quizzes.id = quiz_id
    left join creator_settings on user_id = creator_id
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
      and email_confirmation is not null
  `.execute(db)
  return rows[0]
}

/**
 * Adds changed participants to the counters of confirmations. Counters are locked before deliveries are counted, as by
 * submissions, so that no deadlock arises.
 */
const moveCounts = async (
  db: Db,
  quiz_id: string,
  { versions, to }: { versions: readonly number[]; to: ConfirmationState },
): Promise<void> => {
  await sql`
    insert into confirmation_counts as counter (quiz_id, version, email_confirmation, count)
    select ${quiz_id}::uuid, version, state, sum(change)
    from unnest(${versions}::integer[]) as moved(version)
      cross join (values (${to}, 1), ('waiting', -1)) as changes(state, change)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (quiz_id, version, email_confirmation)
    do update set count = counter.count + excluded.count
  `.execute(db)
}

/** Locks the deliveries of participants in key order, as settlements do. */
const lockDeliveries = async (
  db: Db,
  quiz_id: string,
  participant_uuids: readonly string[],
): Promise<void> => {
  await sql`
    select from deliveries
    where quiz_id = ${quiz_id} and participant_uuid = any(${participant_uuids}::uuid[])
    order by quiz_id, participant_uuid, connection_id for update
  `.execute(db)
}

/**
 * Releases or ends the deliveries of participants whose confirmation has ended, and wakes the workers. Released
 * deliveries are due now and get their whole time. A queued mail of the confirmation is not sent any more.
 */
const settleWaiting = async (
  db: Db,
  { quiz_id, participant_uuids }: { quiz_id: string; participant_uuids: readonly string[] },
  isReleased: RawBuilder<boolean>,
): Promise<void> => {
  const isOwnMail = sql`provider = 'confirmation'`
  await sql`
    update deliveries set
      status = case
        when ${isOwnMail} and (completed_calls -> 'is_reminder' is not null or ${isReleased}) then 'delivered'
        when ${isOwnMail} then 'refused'
        when ${isReleased} then 'pending'
        else 'not_confirmed'
      end,
      next_attempt_at = case when not ${isOwnMail} and ${isReleased} then now() end,
      give_up_at = now() + interval '${sql.raw(MAX_DELIVERY_AGE)}',
      settled_at = case when ${isOwnMail} or not ${isReleased} then now() end
    where quiz_id = ${quiz_id} and participant_uuid = any(${participant_uuids}::uuid[])
      and (status = 'awaiting_confirmation' or ${isOwnMail} and status = 'pending' and lease_id is null)
  `.execute(db)
  await sql`select pg_notify(${RESPONSES_CHANNEL}, ${quiz_id})`.execute(db)
}

/**
 * Stores that a participant has confirmed the address, and releases the deliveries that wait for it, in one transaction.
 * Returns true if this call confirmed; false if the confirmation had ended, the consent was withdrawn, or the
 * participant is gone.
 */
export const confirmAddress = (
  db: Db,
  { quiz_id, participant_uuid }: ParticipantKey,
): Promise<boolean> =>
  db.transaction().execute(async (change) => {
    // The lock waits for erasures and withdrawals of consent.
    await sql`select from all_quizzes where id = ${quiz_id} for key share`.execute(change)
    await lockDeliveries(change, quiz_id, [participant_uuid])
    const { rows } = await sql<{ version: number }>`
      update responses set email_confirmation = 'confirmed'
      where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
        and email_confirmation = 'waiting' and consent_version is distinct from 0
      returning version
    `.execute(change)
    if (rows.length === 0) return false
    await sql`
      insert into email_confirmations (${sql.raw(CONFIRMATION_COLUMNS)}, confirmed_at)
      select ${sql.raw(CONFIRMATION_VALUES)}, now() from responses
      where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
      on conflict (quiz_id, participant_uuid) do update set confirmed_at = now()
    `.execute(change)
    const versions = rows.map(({ version }) => version)
    await moveCounts(change, quiz_id, { versions, to: 'confirmed' })
    const confirmed = { quiz_id, participant_uuids: [participant_uuid] }
    await settleWaiting(change, confirmed, sql<boolean>`true`)
    return true
  })

/**
 * Ends the confirmations of a quiz that are still awaited. Deliveries to email tools and result mails end too; webhooks
 * are sent, so that their receivers lose no replies. Returns the number of ended confirmations.
 */
export const expireConfirmations = (
  db: Db,
  { quiz_id, participant_uuids }: { quiz_id: string; participant_uuids: readonly string[] },
): Promise<number> =>
  db.transaction().execute(async (change) => {
    await sql`select from all_quizzes where id = ${quiz_id} for key share`.execute(change)
    await lockDeliveries(change, quiz_id, participant_uuids)
    const { rows } = await sql<{ participant_uuid: string; version: number }>`
      update responses set email_confirmation = 'expired'
      where quiz_id = ${quiz_id} and participant_uuid = any(${participant_uuids}::uuid[])
        and email_confirmation = 'waiting'
      returning participant_uuid, version
    `.execute(change)
    const expired = rows.map(({ participant_uuid }) => participant_uuid)
    if (expired.length === 0) return 0
    await sql`
      update email_confirmations set expired_at = now()
      where quiz_id = ${quiz_id} and participant_uuid = any(${expired}::uuid[])
    `.execute(change)
    const versions = rows.map(({ version }) => version)
    await moveCounts(change, quiz_id, { versions, to: 'expired' })
    await settleWaiting(
      change,
      { quiz_id, participant_uuids: expired },
      sql<boolean>`provider = 'webhook'`,
    )
    return expired.length
  })
