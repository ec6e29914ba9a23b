import { sql } from 'kysely'
import type { ChannelName } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { ErasureKind, ErasureStatus } from '#domain/deliveries/erasures.ts'
import type { Db } from '#server/db/database.ts'

/** Retention of a sealed person whose erasure failed, and retention of the log of erasures. */
const PERSON_RETENTION = sql`interval '30 days'`
const LEDGER_RETENTION = sql`interval '1 year'`

/**
 * Deletes the sealed persons of erasures that failed for thirty days. Deletes log entries that are a year old or whose
 * quizzes are all deleted. Deletes actions on participants' pages that are a year old.
 */
export const expireErasures = async (db: Db, now: Date): Promise<void> => {
  await sql`
    update erasures
    set status = 'refused', last_code = case status when 'pending' then 'expired' else last_code end,
      sealed_person = null, vendor_contact_id = null, next_attempt_at = null, lease_id = null,
      lease_until = null, settled_at = coalesce(settled_at, ${now})
    where status <> 'done' and sealed_person is not null
      and created_at < ${now}::timestamptz - ${PERSON_RETENTION}
  `.execute(db)
  await sql`
    delete from erasures
    where status <> 'pending' and (
      created_at < ${now}::timestamptz - ${LEDGER_RETENTION}
      or not exists (select from all_quizzes where all_quizzes.id = any(quiz_ids))
    )
  `.execute(db)
  await sql`
    delete from page_actions where created_at < ${now}::timestamptz - ${LEDGER_RETENTION}
  `.execute(db)
}

/** Key of a participant. */
type ParticipantKey = { quiz_id: string; participant_uuid: string }

/**
 * SQL condition: a delivery brought the participant to the tool, or may have, because the tool's answer can be
 * lost. False after an erasure at that tool.
 */
export const HAS_REACHED = `(
  deliveries.status in ('delivered', 'suppressed') or deliveries.attempts > 0
  or deliveries.lease_id is not null or deliveries.completed_calls is not null
) and deliveries.last_code is distinct from 'erased'`

/** Lists the connected tools and webhooks of a creator that received any of these participants. */
export const listReachedTools = async (
  db: Db,
  {
    creator_id,
    participant_keys,
  }: { creator_id: string; participant_keys: readonly ParticipantKey[] },
): Promise<{ connection_id: string; provider: ChannelName }[]> => {
  const { rows } = await sql<{ connection_id: string; provider: ChannelName }>`
    select distinct connection_id, deliveries.provider from deliveries
    join integration_connections as connection on connection.id = connection_id
    where (deliveries.quiz_id, participant_uuid) in (
        select quiz_id, participant_uuid from jsonb_to_recordset(${JSON.stringify(participant_keys)}::jsonb)
          as participant(quiz_id uuid, participant_uuid uuid)
      )
      and connection.user_id = ${creator_id} and connection.status <> 'disconnected'
      and deliveries.provider not in ('mail', 'notice', 'confirmation') and ${sql.raw(HAS_REACHED)}
    order by deliveries.provider, connection_id
  `.execute(db)
  return rows
}

type QuizOfCreator = { quiz_id: string; creator_id: string }

/** Erasure in the log of a quiz. */
export type ErasureRow = {
  id: string
  provider: ChannelName
  /** URL of a webhook; null for an email tool. */
  url: string | null
  kind: ErasureKind | 'event'
  status: ErasureStatus
  created_at: string
  settled_at: string | null
  next_attempt_at: string | null
  last_code: string | null
  can_retry: boolean
  by_participant: boolean
}

const CAN_RETRY = sql`
  lease_id is null and sealed_person is not null
  and (erasures.status = 'refused' or (erasures.status = 'pending' and attempts > 0))`

/** Lists the newest erasures of participants of a quiz, with their outcome. */
export const listErasures = async (
  db: Db,
  { quiz_id, creator_id }: QuizOfCreator,
  limit: number,
): Promise<ErasureRow[]> => {
  const { rows } = await sql<ErasureRow>`
    select id, provider, url, kind, status, created_at, settled_at, last_code,
      case when status = 'pending' then next_attempt_at end as next_attempt_at,
      ${CAN_RETRY} as can_retry, by_participant
    from erasures left join webhooks using (connection_id)
    where user_id = ${creator_id} and ${quiz_id} = any(quiz_ids)
    order by created_at desc, id desc limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Schedules an erasure for an immediate retry with a new time limit. Returns false if it cannot be retried, for
 * example because the person is no longer stored.
 */
export const retryErasure = async (
  db: Db,
  { quiz_id, creator_id, erasure_id }: QuizOfCreator & { erasure_id: string },
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    update erasures set status = 'pending', attempts = 0, next_attempt_at = now(), settled_at = null,
      give_up_at = now() + interval '${sql.raw(MAX_DELIVERY_AGE)}', last_code = null
    where id = ${erasure_id} and user_id = ${creator_id} and ${quiz_id} = any(quiz_ids) and ${CAN_RETRY}
  `.execute(db)
  return numAffectedRows > 0n
}

/** Returns true if the log of the quiz contains the erasure. */
export const hasErasure = async (
  db: Db,
  { quiz_id, creator_id, erasure_id }: QuizOfCreator & { erasure_id: string },
): Promise<boolean> => {
  const { rows } = await sql`
    select from erasures
    where id = ${erasure_id} and user_id = ${creator_id} and ${quiz_id} = any(quiz_ids)
  `.execute(db)
  return rows.length > 0
}

/** Lists the newest erasures and withdrawals that participants of a quiz made on their pages. */
export const listPageActions = (db: Db, { quiz_id, creator_id }: QuizOfCreator, limit: number) =>
  db
    .selectFrom('page_actions')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_id')
    .select(['page_actions.id', 'kind', 'page_actions.created_at'])
    .where('quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .orderBy('page_actions.created_at', 'desc')
    .orderBy('page_actions.id', 'desc')
    .limit(limit)
    .execute()
