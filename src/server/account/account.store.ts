import { sql } from 'kysely'
import type { PhoneCountry } from '#domain/common/phone-countries.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { lockUser } from '#server/auth/accounts/users.store.ts'
import type { Db } from '#server/db/database.ts'
import { isUnknownTimeZone } from '#server/db/database-error.ts'
import { deleteFolders } from '#server/folders/folders.store.ts'
import { deleteImages } from '#server/images/images.store.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'

/** Returns the time zone in which a creator sees dates; Europe/Paris until they choose one. */
export const findTimeZone = async (db: Db, user_id: string): Promise<string> => {
  const { time_zone } = await findPreferences(db, user_id)
  return time_zone
}

/** Returns the time zone, the chosen country and the name of the sender of a creator; null without a choice. */
export const findPreferences = async (
  db: Db,
  user_id: string,
): Promise<{ time_zone: string; country: string | null; sender_name: string | null }> => {
  const row = await db
    .selectFrom('creator_settings')
    .select(['time_zone', 'country', 'sender_name'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row ?? { time_zone: DEFAULT_TIME_ZONE, country: null, sender_name: null }
}

/** Stores the country of a creator, whose phone numbers are read without a country code. */
export const saveCountry = async (
  db: Db,
  user_id: string,
  country: PhoneCountry,
): Promise<void> => {
  await db
    .insertInto('creator_settings')
    .values({ user_id, time_zone: DEFAULT_TIME_ZONE, country })
    .onConflict((known) => known.column('user_id').doUpdateSet({ country }))
    .execute()
}

/** Stores the time zone of a creator; returns false if PostgreSQL does not know it. */
export const saveTimeZone = async (
  db: Db,
  user_id: string,
  time_zone: string,
): Promise<boolean> => {
  try {
    await sql`select now() at time zone ${time_zone}`.execute(db)
  } catch (error) {
    if (isUnknownTimeZone(error)) return false
    throw error
  }
  await db
    .insertInto('creator_settings')
    .values({ user_id, time_zone })
    .onConflict((known) => known.column('user_id').doUpdateSet({ time_zone }))
    .execute()
  return true
}

/** Deletes the settings of a creator, whose time zone is then Europe/Paris again, without a chosen country. */
const deleteSettings = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('creator_settings').where('user_id', '=', user_id).execute()
}

/**
 * Deletes an account, its sessions and everything stored for its creator, and sends a mail to its address. Returns
 * the ids of the deleted quizzes. An account at an external auth service remains there. `check` runs first and may throw.
 */
export const deleteAccount = async (
  db: Db,
  id: string,
  check?: (transaction: Db) => Promise<void>,
): Promise<string[]> =>
  db.transaction().execute(async (transaction) => {
    await check?.(transaction)
    const user = await lockUser(transaction, id)
    const quizzes = await transaction
      .deleteFrom('all_quizzes')
      .where('creator_id', '=', id)
      .returning('id')
      .execute()
    const ids = quizzes.map((quiz) => quiz.id)
    await transaction.deleteFrom('integration_connections').where('user_id', '=', id).execute()
    await transaction.deleteFrom('mail_unsubscribes').where('user_id', '=', id).execute()
    await transaction.deleteFrom('mail_digests').where('user_id', '=', id).execute()
    await deleteFolders(transaction, id)
    await deleteImages(transaction, id)
    await deleteSettings(transaction, id)
    if (!user) return ids
    await transaction.deleteFrom('users').where('id', '=', id).execute()
    if (user.email) await enqueueMail(transaction, { kind: 'account_deleted', email: user.email })
    return ids
  })
