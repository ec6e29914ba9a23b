import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import { measureAnswerOf } from '#domain/deliveries/field-mappings.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import type { Db } from '#server/db/database.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import type { PageUrl } from '#server/reports/report-links.ts'
import { type NewerRun, type ParticipantData, runDataOf } from './build-contact.ts'

type Key = { quiz_id: string; participant_uuid: string }

/**
 * Loads the parameters of a participant and the answers that decide on labels. Returns undefined if the participant
 * is deleted.
 */
export type LoadParticipantData = (key: Key) => Promise<ParticipantData | undefined>

/**
 * Loads the newer runs of the same person that are sent to the same connection. Returns undefined if there are too
 * many.
 */
export type LoadNewerRuns = (
  key: Key & { connection_id: string },
) => Promise<NewerRun[] | undefined>

const RUN_COLUMNS = [
  ...(['version', 'result_position', 'score', 'choices', 'texts', 'parameters'] as const),
  ...(['dimension_percents', 'measure_version', 'created_at'] as const),
  ...CONTACT_ROLES,
] as const

/** Maximum number of newer runs of a person that are compared. */
const MAX_NEWER_RUNS = 20

type Row = ContactData & {
  participant_uuid: string
  keeps_page: boolean
  measure_version: number | null
  created_at: string
  /** Time zone of the creator; null without a setting. */
  time_zone: string | null
} & Pick<ParticipantData, 'parameters'> &
  Parameters<typeof runDataOf>[1] & { version: number }

/** Returns the data of a stored participant by the version that they took; undefined without the version. */
const readRow = async (
  db: Db,
  { quiz_id, pageUrl }: { quiz_id: string; pageUrl: PageUrl | undefined },
  row: Row | undefined,
): Promise<ParticipantData | undefined> => {
  const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
  if (!snapshot) return undefined
  const { first_name, last_name, phone, parameters, participant_uuid, keeps_page } = row
  const { measure_version, created_at, time_zone } = row
  return {
    ...runDataOf(snapshot, row),
    contact: { first_name, last_name, phone },
    parameters,
    measure: measureAnswerOf(measure_version, created_at, time_zone ?? DEFAULT_TIME_ZONE),
    result_url: (keeps_page && pageUrl?.({ quiz_id, participant_uuid })) || null,
  }
}

/** Creates a loader that reads the participant and the version of the quiz they answered. */
export const createLoadParticipantData =
  (db: Db, pageUrl?: PageUrl): LoadParticipantData =>
  async ({ quiz_id, participant_uuid }) => {
    const row = await db
      .selectFrom('responses')
      .innerJoin('all_quizzes', 'all_quizzes.id', 'quiz_id')
      .leftJoin('creator_settings', 'creator_settings.user_id', 'creator_id')
      .select(RUN_COLUMNS.map((column) => `responses.${column}` as const))
      .select(['participant_uuid', 'keeps_page', 'creator_settings.time_zone'])
      .where('quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .executeTakeFirst()
    return readRow(db, { quiz_id, pageUrl }, row)
  }

/** Creates a loader of the newer runs that replace a delivery, by the rule of `claimDue`. */
export const createLoadNewerRuns =
  (db: Db, pageUrl?: PageUrl): LoadNewerRuns =>
  async ({ quiz_id, participant_uuid, connection_id }) => {
    const { rows } = await sql<Row & { result_name: string | null }>`
      select ${sql.join(RUN_COLUMNS.map((column) => sql.ref(`newer_response.${column}`)))},
        newer_delivery.result_name, newer_response.participant_uuid, keeps_page, settings.time_zone
      from deliveries as own_delivery
      join all_quizzes on all_quizzes.id = own_delivery.quiz_id
      left join creator_settings as settings on settings.user_id = creator_id
      join responses as own_response using (quiz_id, participant_uuid)
      join responses as newer_response on newer_response.quiz_id = own_delivery.quiz_id
        and lower(newer_response.email) = lower(own_response.email)
      join deliveries as newer_delivery on newer_delivery.quiz_id = newer_response.quiz_id
        and newer_delivery.participant_uuid = newer_response.participant_uuid
        and newer_delivery.connection_id = own_delivery.connection_id
      where own_delivery.quiz_id = ${quiz_id} and own_delivery.participant_uuid = ${participant_uuid}
        and own_delivery.connection_id = ${connection_id}
        and newer_delivery.status in ('pending', 'delivered', 'suppressed')
        and (newer_response.created_at, newer_response.participant_uuid)
          > (own_delivery.created_at, own_delivery.participant_uuid)
      limit ${MAX_NEWER_RUNS + 1}
    `.execute(db)
    if (rows.length > MAX_NEWER_RUNS) return undefined
    const runs = await Promise.all(
      rows.map(async ({ result_name, ...row }) => {
        const data = await readRow(db, { quiz_id, pageUrl }, row)
        return data ? [{ ...data, result_name }] : []
      }),
    )
    return runs.flat()
  }
