import { sql } from 'kysely'
import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import { imageAddress } from '#domain/questionnaire/images.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import type { DimensionPercents } from '#domain/run/stored-dimensions.ts'
import type { StoredReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'

const RESPONSES_A_PAGE = 1000

/** Returns the account data of a creator without passwords, keys, tokens and secrets of second factors. */
export const exportAccount = async (db: Db, user_id: string) => {
  const account = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_confirmed_at', 'new_email', 'last_sign_in_at'])
    .select(['user_metadata', 'created_at', 'updated_at'])
    .where('id', '=', user_id)
    .executeTakeFirst()
  const identities = await db
    .selectFrom('identities')
    .select(['provider', 'provider_id', 'identity_data', 'last_sign_in_at', 'created_at'])
    .where('user_id', '=', user_id)
    .execute()
  const factors = await db
    .selectFrom('mfa_factors')
    .select(['factor_type', 'status', 'friendly_name', 'phone'])
    .select(['last_challenged_at', 'created_at', 'updated_at'])
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  // Networks are stored as hashes, which identify nothing outside this server.
  const known_networks = await db
    .selectFrom('known_networks')
    .select('seen_at')
    .where('user_id', '=', user_id)
    .orderBy('seen_at')
    .execute()
  const sessions = await db
    .selectFrom('sessions')
    .select(['created_at', 'refreshed_at', 'user_agent'])
    .where('user_id', '=', user_id)
    .execute()
  const connections = await db
    .selectFrom('integration_connections')
    .leftJoin('webhooks', 'connection_id', 'id')
    .select(['provider', 'status', 'vendor_email', 'quiz_id', 'url', 'created_at', 'updated_at'])
    .where('user_id', '=', user_id)
    .execute()
  const api_keys = await db
    .selectFrom('api_keys')
    .select(['name', 'scope', 'created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', user_id)
    .execute()
  return {
    account: account ?? null,
    identities,
    factors,
    known_networks,
    sessions,
    connections,
    api_keys,
  }
}

/** Returns the images of a creator with their addresses. */
export const exportImages = async (db: Db, creator_id: string) => {
  const rows = await db
    .selectFrom('images')
    .select(['id', 'width', 'height', 'created_at'])
    .where('creator_id', '=', creator_id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, address: imageAddress(row.id, 800) }))
}

/** Returns all quizzes of a creator and their contents, each kind in its own list. */
export const exportContent = async (db: Db, creator_id: string) => {
  const owned = db.selectFrom('quizzes').select('id').where('creator_id', '=', creator_id)
  return {
    quizzes: await db
      .selectFrom('quizzes')
      .selectAll()
      .where('creator_id', '=', creator_id)
      .orderBy('id')
      .execute(),
    folders: await db
      .selectFrom('folders')
      .select(['id', 'name', 'created_at'])
      .where('creator_id', '=', creator_id)
      .orderBy('id')
      .execute(),
    results: await db
      .selectFrom('results')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('id')
      .execute(),
    questions: await db
      .selectFrom('questions')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('id')
      .execute(),
    answers: await db
      .selectFrom('answers')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('id')
      .execute(),
    associations: await db
      .selectFrom('associations')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('id')
      .execute(),
    text_blocks: await db
      .selectFrom('text_blocks')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('id')
      .execute(),
    dimensions: await db
      .selectFrom('dimensions')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('id')
      .execute(),
    text_variants: await db
      .selectFrom('text_variants')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('id')
      .execute(),
    versions: await db
      .selectFrom('quiz_versions')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('quiz_id')
      .orderBy('version')
      .execute(),
    automations: await db
      .selectFrom('automations')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('quiz_id')
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    field_mappings: await db
      .selectFrom('field_mappings')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('quiz_id')
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    consent_texts: await db
      .selectFrom('consent_texts')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('quiz_id')
      .orderBy('version')
      .execute(),
    trial_responses: await db
      .selectFrom('trial_responses')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('quiz_id')
      .orderBy('id')
      .execute(),
    mails: await db
      .selectFrom('quiz_mails')
      .selectAll()
      .where('quiz_id', 'in', owned)
      .orderBy('quiz_id')
      .execute(),
    statistics_links: await db
      .selectFrom('statistics_links')
      .select(['quiz_id', 'created_at'])
      .select(sql<string | null>`opened_on::text`.as('opened_on'))
      .where('quiz_id', 'in', owned)
      .orderBy('quiz_id')
      .execute(),
  }
}

/** Key of a participant. */
export type ResponseKey = { quiz_id: string; participant_uuid: string }
/** A participant as the account export reads it. */
export type ExportedResponse = ResponseKey &
  StoredReplies &
  ContactData & {
    version: number
    created_at: string
    email: string | null
    result_position: number | null
    consent_version: number | null
    score: number | null
    dimension_percents: DimensionPercents | null
    elapsed_seconds: number | null
    is_suspect: boolean
  }

/** Returns a page of the participants of all quizzes of a creator, in the order of their key. */
export const exportResponses = (
  db: Db,
  creator_id: string,
  after: ResponseKey | undefined,
): Promise<ExportedResponse[]> =>
  db
    .selectFrom('responses')
    .select(['quiz_id', 'participant_uuid', 'version', 'created_at', 'email', 'result_position'])
    .select(['choices', 'texts', 'consent_version', 'score', 'elapsed_seconds', 'is_suspect'])
    .select(['parameters', 'dimension_percents'])
    .select(CONTACT_ROLES)
    .where('quiz_id', 'in', (query) =>
      query.selectFrom('quizzes').select('id').where('creator_id', '=', creator_id),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(quiz_id, participant_uuid) > (${after?.quiz_id}::uuid, ${after?.participant_uuid}::uuid)`,
      ),
    )
    .orderBy('quiz_id')
    .orderBy('participant_uuid')
    .limit(RESPONSES_A_PAGE)
    .execute()
