import { type RawBuilder, sql } from 'kysely'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { Db } from '#server/db/database.ts'
import {
  CONFIRMATION_STATUS,
  HAS_AGREED,
  IS_TOOL_DELIVERY,
  WAS_NOT_ASKED,
} from '#server/responses/consent.store.ts'

/**
 * SQL condition: the participant left an address that may be forwarded. An address that the participant was asked to
 * confirm, and did not confirm in time, is never forwarded. Replies of anonymous campaigns have no address.
 */
const hasSendableEmail = sql`
  email is not null and email_confirmation is distinct from 'expired' and not is_anonymous`

/**
 * SQL condition: the participant left an address and may be forwarded. Forwarding needs consent, or a quiz that
 * announces the transfer without asking. Participants who were asked and did not agree are never forwarded.
 */
const isSendable = sql`${hasSendableEmail} and ${sql.raw(HAS_AGREED)}`

type EarlierParticipants = { provider: ProviderName; nb_participants: number; nb_not_asked: number }

const hasNoDelivery = (connection_id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  not exists (
    select from deliveries as existing_delivery
    where existing_delivery.quiz_id = responses.quiz_id
      and existing_delivery.participant_uuid = responses.participant_uuid
        and existing_delivery.connection_id = ${connection_id}
  )`

/**
 * Counts, for each tool of the quiz, the earlier participants that can still be forwarded. Also counts those who were
 * never asked for consent. The caller has checked who owns the quiz.
 */
export const countEarlierParticipants = async (
  db: Db,
  quiz_id: string,
): Promise<EarlierParticipants[]> => {
  // The count is skipped if every participant has a delivery.
  const { rows } = await sql<EarlierParticipants>`
    with destinations as (
      select quiz_id, connection_id, provider, consent_mode
      from forwardings join quizzes on quizzes.id = quiz_id
      where quiz_id = ${quiz_id} and ${sql.raw(IS_TOOL_DELIVERY)}
        and (
          select coalesce(sum(nb_responses), 0) from quiz_versions
          where quiz_versions.quiz_id = forwardings.quiz_id
        ) > (
          select coalesce(sum(count), 0) from delivery_counts
          where delivery_counts.quiz_id = forwardings.quiz_id
            and delivery_counts.connection_id = forwardings.connection_id
        )
    )
    select provider, (count(*) filter (where ${sql.raw(HAS_AGREED)}))::integer as nb_participants,
      (count(*) filter (where ${sql.raw(WAS_NOT_ASKED)}))::integer as nb_not_asked
    from destinations join responses using (quiz_id)
    where ${hasSendableEmail} and (${sql.raw(HAS_AGREED)} or ${sql.raw(WAS_NOT_ASKED)})
      and ${hasNoDelivery(sql`destinations.connection_id`)}
    group by provider order by provider
  `.execute(db)
  return rows
}

const SEND_BATCH_SIZE = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Inserts a delivery for each earlier participant without one, and returns the number of inserted deliveries. A
 * repeated call continues after an interruption and inserts no duplicates.
 */
export const sendEarlier = async (
  db: Db,
  at: { quiz_id: string; provider: ProviderName },
): Promise<number> => {
  let sent = 0
  let after: string | null = BEFORE_ALL
  while (after !== null) {
    const batch: Batch = await sendSome(db, { ...at, after })
    sent += batch.count
    after = batch.last
  }
  return sent
}

type Batch = { count: number; last: string | null }

const sendSome = (
  db: Db,
  { quiz_id, provider, after }: { quiz_id: string; provider: ProviderName; after: string },
): Promise<Batch> =>
  db.transaction().execute(async (sending) => {
    // The lock blocks deletions, which would leave a delivery without its participant.
    await sql`select from quizzes where id = ${quiz_id} for key share`.execute(sending)
    const { rows } = await sql<Batch>`
      with batch as (
        select responses.*, connection_id
        from forwardings
        join quizzes on quizzes.id = forwardings.quiz_id
        join responses on responses.quiz_id = forwardings.quiz_id
        where forwardings.quiz_id = ${quiz_id} and provider = ${provider}
          and participant_uuid > ${after}
          and ${isSendable} and ${hasNoDelivery(sql`forwardings.connection_id`)}
        order by participant_uuid limit ${SEND_BATCH_SIZE}
      ), new_deliveries as (
        insert into deliveries (
          quiz_id, participant_uuid, provider, connection_id, status, result_name, created_at,
          next_attempt_at, give_up_at
        )
        select quiz_id, participant_uuid, ${provider}, connection_id, ${sql.raw(CONFIRMATION_STATUS)},
          snapshot -> 'results' -> result_position::integer ->> 'name', batch.created_at, now(),
          now() + interval '${sql.raw(MAX_DELIVERY_AGE)}'
        from batch join quiz_versions using (quiz_id, version)
        order by participant_uuid
        on conflict do nothing
        returning 1
      )
      select (select count(*)::integer from new_deliveries) as count,
        (select participant_uuid from batch order by participant_uuid desc limit 1) as last
    `.execute(sending)
    return rows[0] ?? { count: 0, last: null }
  })
