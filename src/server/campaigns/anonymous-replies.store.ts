import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  addToPool,
  closePool,
  MIN_ANONYMOUS_REPLIES,
  type PooledReply,
} from '#domain/campaigns/reply-pool.ts'
import { NO_CONTACT } from '#domain/run/contact/contact.ts'
import type { Db } from '#server/db/database.ts'
import type { Submission } from '#server/responses/submission-statement.ts'
import { storeInTransaction } from '#server/responses/submissions.store.ts'
import { deriveKey, seal, unseal } from '#server/runtime/sealing.ts'

/** Purpose for which the key of waiting replies is derived from SECRET_KEY. */
export const REPLIES_PURPOSE = 'campaigns/replies'
/** Returns the label to which the waiting replies of a campaign are bound. */
export const repliesLabel = (campaign_id: string): string => `campaigns/${campaign_id}`

/** Parts of a submission that an anonymous campaign keeps: neither its time nor its id, address, parameters and secret. */
type AnonymousReply = Pick<
  Submission,
  'version' | 'result_position' | 'score' | 'choices' | 'texts' | 'layout' | 'dimension_percents'
>
type Pool = PooledReply<AnonymousReply>[]

type CampaignKey = { quiz_id: string; id: string }
type SecretKey = string | Uint8Array

/** Returns the waiting replies of a campaign, and locks the campaign. */
const lockPool = async (
  db: Db,
  { quiz_id, id }: CampaignKey,
  secretKey: SecretKey,
): Promise<Pool> => {
  const row = await db
    .selectFrom('campaigns')
    .select('sealed_replies')
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row?.sealed_replies) return []
  const text = unseal(deriveKey(secretKey, REPLIES_PURPOSE), repliesLabel(id), row.sealed_replies)
  return JSON.parse(text) as Pool
}

const storePool = async (
  db: Db,
  { quiz_id, id }: CampaignKey,
  pool: Pool,
  secretKey: SecretKey,
): Promise<void> => {
  const key = deriveKey(secretKey, REPLIES_PURPOSE)
  const sealed_replies =
    pool.length === 0 ? null : seal(key, repliesLabel(id), JSON.stringify(pool))
  await db
    .updateTable('campaigns')
    .set({ sealed_replies })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .execute()
}

/** Stores replies that leave the pool as participants of a whole day, with new random ids. */
const storeReleased = async (
  db: Db,
  { quiz_id, id }: CampaignKey,
  released: Pool,
): Promise<void> => {
  if (released.length === 0) return
  const rows = released.map(({ group_name, reply }) => ({
    group_name,
    submission: {
      ...reply,
      ...NO_CONTACT,
      quiz_id,
      participant_uuid: randomUUID(),
      run_secret_hash: null,
      email: null,
      elapsed_seconds: null,
      is_suspect: false,
      consent_version: null,
      measure_version: null,
      parameters: null,
      is_mail_refused: false,
    } satisfies Submission,
  }))
  const submissions = rows.map(({ submission }) => submission)
  const attempts = await storeInTransaction(db, submissions, 'anonymous')
  if (attempts.some(({ kind }) => kind !== 'stored'))
    throw new Error('replies of an anonymous campaign were not stored')
  const groups = rows.map(({ group_name, submission }) => ({
    group_name,
    participant_uuid: submission.participant_uuid,
  }))
  await sql`
    update responses set campaign_id = ${id}, group_name = released.group_name
    from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb)
      as released(participant_uuid uuid, group_name text)
    where responses.quiz_id = ${quiz_id} and responses.participant_uuid = released.participant_uuid
  `.execute(db)
}

/** Returns the group of a person if at least five people of the campaign are in it; otherwise null. */
const groupShown = async (
  db: Db,
  { quiz_id, id }: CampaignKey,
  group_name: string | null,
): Promise<string | null> => {
  if (group_name === null) return null
  const { count } = await db
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', id)
    .where('group_name', '=', group_name)
    .executeTakeFirstOrThrow()
  return Number(count) >= MIN_ANONYMOUS_REPLIES ? group_name : null
}

/**
 * Adds a reply to the pool of an anonymous campaign, and stores the replies that leave the pool. Returns true if some
 * left. Runs in the transaction that marks the invitation.
 */
export const addAnonymousReply = async (
  db: Db,
  campaign: CampaignKey,
  { submission, group_name }: { submission: Submission; group_name: string | null },
  secretKey: SecretKey,
): Promise<boolean> => {
  const { version, result_position, score, choices, texts, layout, dimension_percents } = submission
  const reply = { version, result_position, score, choices, texts, layout, dimension_percents }
  const pool = await lockPool(db, campaign, secretKey)
  const added = { group_name: await groupShown(db, campaign, group_name), reply }
  const { waiting, released } = addToPool(pool, added, (limit) => randomInt(limit))
  await storePool(db, campaign, waiting, secretKey)
  await storeReleased(db, campaign, released)
  return released.length > 0
}

/** Returns the number of waiting replies of the anonymous campaigns of a quiz, which count against its limit. */
export const countWaitingReplies = async (
  db: Db,
  quiz_id: string,
  secretKey: SecretKey,
): Promise<number> => {
  const rows = await db
    .selectFrom('campaigns')
    .select(['id', 'sealed_replies'])
    .where('quiz_id', '=', quiz_id)
    .where('sealed_replies', 'is not', null)
    .execute()
  const key = deriveKey(secretKey, REPLIES_PURPOSE)
  return rows.reduce((sum, { id, sealed_replies }) => {
    if (!sealed_replies) return sum
    return sum + (JSON.parse(unseal(key, repliesLabel(id), sealed_replies)) as Pool).length
  }, 0)
}

/**
 * Ends the pool of an anonymous campaign: stores the waiting replies, or deletes them if they are fewer than five. Then
 * writes people and replies again in random order, so that no trace of their order is left in the tables.
 */
export const closeAnonymousReplies = async (
  db: Db,
  campaign: CampaignKey,
  secretKey: SecretKey,
): Promise<void> => {
  const { quiz_id, id } = campaign
  const pool = await lockPool(db, campaign, secretKey)
  const released = closePool(pool, (limit) => randomInt(limit))
  await storeReleased(db, campaign, released)
  await db
    .updateTable('campaigns')
    .set({ sealed_replies: null, nb_deleted_replies: pool.length - released.length })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .execute()
  await rewriteShuffled(db, campaign, 'invitations')
  await rewriteShuffled(db, campaign, 'responses')
}

/**
 * Deletes the rows of a campaign and inserts them in random order, so that neither their place nor their transaction tells
 * when they were written. Responses get new ids, because the former ones were known while the campaign ran.
 */
const rewriteShuffled = async (
  db: Db,
  { quiz_id, id }: CampaignKey,
  table: 'invitations' | 'responses',
): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum
  `.execute(db)
  const columns = rows.map(({ name }) => sql.ref(name))
  const values = rows.map(({ name }) =>
    table === 'responses' && name === 'participant_uuid' ? sql`gen_random_uuid()` : sql.ref(name),
  )
  // The lists of rare answers name the former ids.
  if (table === 'responses')
    await sql`
      delete from rare_answers where quiz_id = ${quiz_id} and participant_uuid in (
        select participant_uuid from responses where quiz_id = ${quiz_id} and campaign_id = ${id}
      )
    `.execute(db)
  await sql`
    with taken as (
      delete from ${sql.table(table)} where quiz_id = ${quiz_id} and campaign_id = ${id} returning *
    )
    insert into ${sql.table(table)} (${sql.join(columns)})
    select ${sql.join(values)} from taken order by random()
  `.execute(db)
}
