import { type Expression, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

export type StoredLink = { sealed_token: Buffer; created_at: string; opened_on: string | null }

const OPENED_ON = sql<string | null>`opened_on::text`.as('opened_on')
const TODAY: Expression<string> = sql<string>`(now() at time zone 'Europe/Paris')::date`

/** The link of a quiz that the caller has read for its creator; undefined without one. */
export const findLink = (db: Db, quiz_id: string): Promise<StoredLink | undefined> =>
  db
    .selectFrom('statistics_links')
    .select(['sealed_token', 'created_at', OPENED_ON])
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirst()

/** Stores the link of a quiz unless it has one; whether it is this one. */
export const insertLink = async (
  db: Db,
  link: { quiz_id: string; token_hash: Buffer; sealed_token: Buffer },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('statistics_links')
    .values(link)
    .onConflict((known) => known.column('quiz_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Whether there was one. */
export const deleteLink = async (db: Db, quiz_id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('statistics_links')
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The quiz that a token opens, and whose it is; undefined when it opens none. The day is written once. */
export const openLink = async (
  db: Db,
  token_hash: Buffer,
): Promise<{ quiz_id: string; creator_id: string } | undefined> => {
  const row = await db
    .selectFrom('statistics_links')
    .innerJoin('quizzes', 'quizzes.id', 'statistics_links.quiz_id')
    .select(['statistics_links.quiz_id', 'quizzes.creator_id'])
    .select(({ eb }) => eb('opened_on', 'is distinct from', TODAY).as('is_first'))
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  if (!row) return undefined
  const { is_first, ...opened } = row
  if (is_first)
    await db
      .updateTable('statistics_links')
      .set({ opened_on: TODAY })
      .where('token_hash', '=', token_hash)
      .execute()
  return opened
}
