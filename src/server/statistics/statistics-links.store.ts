import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE, localDay } from '#domain/common/time-zone.ts'
import type { Db } from '#server/db/database.ts'

/** Shared link of a quiz, with the last day it was opened. */
export type StoredLink = { sealed_token: Buffer; created_at: string; opened_on: string | null }

const OPENED_ON = sql<string | null>`opened_on::text`.as('opened_on')

/** Returns the shared link of a quiz; undefined if there is none. The caller has checked the owner. */
export const findLink = (db: Db, quiz_id: string): Promise<StoredLink | undefined> =>
  db
    .selectFrom('statistics_links')
    .select(['sealed_token', 'created_at', OPENED_ON])
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirst()

/** Inserts the shared link of a quiz. Returns false if the quiz already has a link. */
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

/** Deletes the shared link of a quiz. Returns true if there was a link. */
export const deleteLink = async (db: Db, quiz_id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('statistics_links')
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Returns the quiz of a shared link with its creator and their time zone; undefined if the token is unknown.
 * Stores the day of the visit in that time zone.
 */
export const openLink = async (
  db: Db,
  token_hash: Buffer,
): Promise<{ quiz_id: string; creator_id: string; time_zone: string } | undefined> => {
  const row = await db
    .selectFrom('statistics_links')
    .innerJoin('quizzes', 'quizzes.id', 'statistics_links.quiz_id')
    .leftJoin('creator_settings', 'user_id', 'creator_id')
    .select(['statistics_links.quiz_id', 'quizzes.creator_id', 'time_zone', OPENED_ON])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  if (!row) return undefined
  const { opened_on, ...opened } = row
  const time_zone = row.time_zone ?? DEFAULT_TIME_ZONE
  const today = localDay(new Date(), time_zone)
  if (opened_on !== today)
    await db
      .updateTable('statistics_links')
      .set({ opened_on: today })
      .where('token_hash', '=', token_hash)
      .execute()
  return { ...opened, time_zone }
}
