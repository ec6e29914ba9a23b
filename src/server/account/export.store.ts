import { sql } from 'kysely'
import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import { imageAddress } from '#domain/questionnaire/images.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import type { DimensionPercents } from '#domain/run/stored-dimensions.ts'
import type { StoredReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { replyContent } from '#server/db/reply-contents.ts'

/** Number of participants that are read at once; each has at most some hundred kilobytes of replies. */
const RESPONSES_A_PAGE = 100

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
  const reply_addresses = await db
    .selectFrom('reply_addresses')
    .select(['email', 'confirmed_at'])
    .where('user_id', '=', user_id)
    .orderBy('confirmed_at')
    .execute()
  return {
    account: account ?? null,
    reply_addresses,
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

/** Row of a table, with the names of its columns. */
type Row = Record<string, unknown>

/** Returns the folders of a creator and the links that share statistics, which are small. */
export const exportFoldersAndLinks = async (db: Db, creator_id: string) => ({
  folders: await db
    .selectFrom('folders')
    .select(['id', 'name', 'created_at'])
    .where('creator_id', '=', creator_id)
    .orderBy('id')
    .execute(),
  statistics_links: await db
    .selectFrom('statistics_links')
    .select(['quiz_id', 'created_at'])
    .select(sql<string | null>`opened_on::text`.as('opened_on'))
    .where('quiz_id', 'in', ownedBy(db, creator_id))
    .orderBy('quiz_id')
    .execute(),
})

const ownedBy = (db: Db, creator_id: string) =>
  db.selectFrom('all_quizzes').select('id').where('creator_id', '=', creator_id)

/** Returns the ids of all quizzes of a creator in order. */
export const listQuizIds = async (db: Db, creator_id: string): Promise<string[]> =>
  (await ownedBy(db, creator_id).orderBy('id').execute()).map(({ id }) => id)

/** Tables whose rows belong to a quiz, each with the columns that order the rows of one quiz. */
export const QUIZ_TABLES = {
  results: ['id'],
  questions: ['id'],
  answers: ['id'],
  associations: ['id'],
  text_blocks: ['id'],
  dimensions: ['id'],
  text_variants: ['id'],
  automations: ['created_at', 'id'],
  field_mappings: ['created_at', 'id'],
  consent_texts: ['version'],
  email_confirmations: ['participant_uuid'],
  trial_responses: ['id'],
  quiz_mails: ['quiz_id'],
  campaigns: ['created_at', 'id'],
  invitations: ['id'],
} as const

/** Columns that are exported of tables with secrets; all columns of the other tables. */
const EXPORTED_COLUMNS: { [Table in QuizTable]?: readonly string[] } = {
  campaigns: [
    ...['quiz_id', 'id', 'name', 'is_anonymous', 'status', 'starts_at', 'ends_at', 'ended_at'],
    ...['invitation_subject', 'invitation_text', 'reminder_subject', 'reminder_text'],
    ...['reminder_days', 'created_at', 'nb_deleted_replies'],
  ],
  invitations: [
    ...['quiz_id', 'campaign_id', 'id', 'email', 'first_name', 'last_name', 'group_name', 'state'],
    ...['opened_at', 'started_at', 'replied_at', 'refused_at', 'refusal', 'failed_code', 'sent_at'],
    'participant_uuid',
  ],
}

/** Name of a table whose rows belong to a quiz. */
export type QuizTable = keyof typeof QUIZ_TABLES

/** Returns the given quizzes of a creator. */
export const exportQuizzes = (
  db: Db,
  creator_id: string,
  quiz_ids: readonly string[],
): Promise<Row[]> =>
  db
    .selectFrom('all_quizzes')
    .selectAll()
    .where('creator_id', '=', creator_id)
    .where('id', 'in', quiz_ids)
    .orderBy('id')
    .execute()

/** Returns a page of the rows of one table for the given quizzes of a creator. */
export const exportRows = async (
  db: Db,
  table: QuizTable,
  { creator_id, quiz_ids, offset }: { creator_id: string; quiz_ids: string[]; offset: number },
): Promise<Row[]> => {
  const order = ['quiz_id', ...QUIZ_TABLES[table]].map((column) => sql.ref(column))
  const names = EXPORTED_COLUMNS[table]
  const columns = names ? sql.join(names.map((name) => sql.ref(name))) : sql`*`
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table)}
    where quiz_id in (select id from all_quizzes where creator_id = ${creator_id} and id = any(${quiz_ids}::uuid[]))
    order by ${sql.join(order)} limit ${ROWS_A_PAGE} offset ${offset}
  `.execute(db)
  return rows
}

/** Maximum number of rows on a page; each row has at most the replies of a trial run, some hundred kilobytes. */
export const ROWS_A_PAGE = 200

/** Returns the numbers of the versions of one quiz of a creator. */
export const listVersionNumbers = async (
  db: Db,
  { creator_id, quiz_id }: { creator_id: string; quiz_id: string },
): Promise<number[]> => {
  const rows = await db
    .selectFrom('quiz_versions')
    .select('version')
    .where('quiz_id', '=', quiz_id)
    .where('quiz_id', 'in', ownedBy(db, creator_id))
    .orderBy('version')
    .execute()
  return rows.map(({ version }) => version)
}

/** Version of a quiz, with the creator of the quiz. */
type VersionOfCreator = { creator_id: string; quiz_id: string; version: number }

/**
 * Size of a piece of a snapshot. V8 keeps the text of such a piece among small objects, which it frees without looking at
 * the whole heap.
 */
export const PIECE_BYTES = 49_152

/**
 * Returns a version without its snapshot, and the JSON of the snapshot as bytes in pieces, which are never parsed. Undefined
 * if the quiz was deleted meanwhile. Pieces of a text instead of bytes would take the database a hundred times as long.
 */
export const exportVersion = async (
  db: Db,
  { creator_id, quiz_id, version }: VersionOfCreator,
): Promise<{ row: Row; snapshot: Buffer[] } | undefined> => {
  const row = await db
    .selectFrom('quiz_versions')
    .select(['quiz_id', 'version', 'image_ids', 'choice_questions', 'text_questions'])
    .select(['nb_responses', 'nb_deleted', 'published_at'])
    .where('quiz_id', '=', quiz_id)
    .where('version', '=', version)
    .where('quiz_id', 'in', ownedBy(db, creator_id))
    .executeTakeFirst()
  const { rows } = await sql<{ piece: Buffer }>`
    with exported as materialized (
      select convert_to(snapshot::text, 'UTF8') as body from quiz_versions
      where quiz_id = ${quiz_id} and version = ${version}
        and quiz_id in (select id from all_quizzes where creator_id = ${creator_id})
    )
    select substr(body, first, ${PIECE_BYTES}::int) as piece
    from exported, generate_series(1, octet_length(body), ${PIECE_BYTES}::int) as first
    order by first
  `.execute(db)
  return row && rows.length > 0 ? { row, snapshot: rows.map(({ piece }) => piece) } : undefined
}

/** Returns the JSON of the parts of a version that give replies their texts (ReplyContent). Undefined if it is missing. */
export const exportReplyContent = async (
  db: Db,
  { creator_id, quiz_id, version }: VersionOfCreator,
): Promise<string | undefined> => {
  const found = await db
    .selectFrom('quiz_versions')
    .select(sql<string>`(${replyContent()})::text`.as('content'))
    .where('quiz_id', '=', quiz_id)
    .where('version', '=', version)
    .where('quiz_id', 'in', ownedBy(db, creator_id))
    .executeTakeFirst()
  return found?.content
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
    measure_version: number | null
    email_confirmation: ConfirmationState | null
    score: number | null
    dimension_percents: DimensionPercents | null
    elapsed_seconds: number | null
    is_suspect: boolean
    campaign_id: string | null
    group_name: string | null
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
    .select(['parameters', 'dimension_percents', 'measure_version', 'email_confirmation'])
    .select(['campaign_id', 'group_name'])
    .select(CONTACT_ROLES)
    .where('quiz_id', 'in', (query) =>
      query.selectFrom('all_quizzes').select('id').where('creator_id', '=', creator_id),
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
