import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import { CHANNEL_LABELS } from '#domain/deliveries/integrations.ts'
import type { ConsentKind } from '#domain/questionnaire/consent/consent.ts'
import type { ParameterValues } from '#domain/questionnaire/parameters.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import type { DimensionPercents } from '#domain/run/stored-dimensions.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { HAS_REACHED } from '#server/erasures/erasures.store.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'

/** Key of a participant. */
export type ParticipantKey = { quiz_id: string; participant_uuid: string }

type StoredRow = StoredReplies &
  ContactData & {
    creator_id: string
    /** True if the quiz is in the trash, whose participants may still use their rights. */
    is_trashed: boolean
    page_erases_contacts: boolean
    time_zone: string
    version: number
    created_at: string
    email: string | null
    result_position: number | null
    score: number | null
    dimension_percents: DimensionPercents | null
    consent_version: number | null
    consent_withdrawn_at: string | null
    withdrawn_consent_version: number | null
    measure_version: number | null
    measure_withdrawn_at: string | null
    withdrawn_measure_version: number | null
    email_confirmation: ConfirmationState | null
    email_confirmed_at: string | null
    elapsed_seconds: number | null
    parameters: ParameterValues | null
  }

/** Participant whose quiz keeps pages, with the version that they took. */
export type PageOwner = ParticipantKey &
  Omit<StoredRow, keyof StoredReplies> & {
    snapshot: Snapshot
    replies: Replies
    result: SnapshotResult | null
  }

/** Unused id, so that a forged token costs the same query as a valid token. */
const UNUSED_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the participant of a page. Returns undefined for a forged token (`key` is undefined), for an erased participant,
 * and for a quiz without pages. Each of these cases costs one query that finds no row.
 */
export const findPageOwner = async (
  db: Db,
  key: ParticipantKey | undefined,
): Promise<PageOwner | undefined> => {
  const { quiz_id, participant_uuid } = key ?? { quiz_id: UNUSED_ID, participant_uuid: UNUSED_ID }
  const { rows } = await sql<StoredRow>`
    select quizzes.creator_id, trashed_at is not null as is_trashed, page_erases_contacts,
      coalesce(time_zone, ${DEFAULT_TIME_ZONE}) as time_zone, responses.version,
      responses.created_at, responses.email, result_position, score, dimension_percents, consent_version,
      consent_withdrawn_at, withdrawn_consent_version, measure_version, measure_withdrawn_at,
      withdrawn_measure_version, elapsed_seconds, responses.parameters, choices, texts,
      first_name, last_name, phone, email_confirmation,
      (
        select confirmed_at from email_confirmations as confirmation
        where confirmation.quiz_id = responses.quiz_id
          and confirmation.participant_uuid = responses.participant_uuid
      ) as email_confirmed_at
    from responses join all_quizzes as quizzes on quizzes.id = responses.quiz_id
    left join creator_settings on user_id = creator_id
    where responses.quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid} and keeps_page
  `.execute(db)
  const [row] = rows
  const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
  if (!row || !snapshot) return undefined
  const { choices, texts, ...stored } = row
  return {
    quiz_id,
    participant_uuid,
    snapshot,
    ...stored,
    replies: unpackReplies(snapshot, { choices, texts }),
    result: snapshot.results[row.result_position ?? -1] ?? null,
  }
}

/** Returns the text of a consent that a participant accepted; null without a version, and for a declined consent. */
export const findAcceptedText = async (
  db: Db,
  { quiz_id, kind, version }: { quiz_id: string; kind: ConsentKind; version: number | null },
): Promise<string | null> => {
  if (version === null || version === 0) return null
  const row = await db
    .selectFrom('consent_texts')
    .select('text')
    .where('quiz_id', '=', quiz_id)
    .where('kind', '=', kind)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.text ?? null
}

/** Returns the French names of the tools and webhooks that received a participant, each once. */
export const listRecipients = async (
  db: Db,
  { quiz_id, participant_uuid }: ParticipantKey,
): Promise<string[]> => {
  const { rows } = await sql<{ provider: keyof typeof CHANNEL_LABELS }>`
    select distinct provider from deliveries
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
      and provider not in ('mail', 'notice', 'confirmation') and ${sql.raw(HAS_REACHED)}
    order by provider
  `.execute(db)
  return rows.map(({ provider }) => CHANNEL_LABELS[provider])
}
