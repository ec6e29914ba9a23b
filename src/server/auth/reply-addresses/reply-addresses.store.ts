import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ReplyAddress } from '#domain/mail-senders/reply-to.ts'
import { findPendingRecipient } from '#server/auth/email-links/one-time-tokens.store.ts'
import type { Db } from '#server/db/database.ts'

type Owned = { user_id: string; address_id: string }

/** Lists the confirmed reply addresses of an account, oldest first. */
export const listReplyAddresses = (db: Db, user_id: string): Promise<ReplyAddress[]> =>
  db
    .selectFrom('reply_addresses')
    .select(['id', 'email'])
    .where('user_id', '=', user_id)
    .orderBy('confirmed_at')
    .orderBy('id')
    .execute()

/** Returns the address that waits for its code; null without one. */
export const findPendingAddress = (db: Db, user_id: string): Promise<string | null> =>
  findPendingRecipient(db, user_id, 'reply_address')

/** Stores a confirmed address. Does nothing if the account has this address. */
export const insertReplyAddress = async (
  db: Db,
  { user_id, email }: { user_id: string; email: string },
): Promise<void> => {
  await db
    .insertInto('reply_addresses')
    .values({ id: randomUUID(), user_id, email })
    .onConflict((known) => known.columns(['user_id', 'email']).doNothing())
    .execute()
}

/**
 * Deletes a reply address. The account and the quizzes that used the address follow their other choices again. Returns
 * false if the account has no such address.
 */
export const deleteReplyAddress = async (
  db: Db,
  { user_id, address_id }: Owned,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('reply_addresses')
    .where('id', '=', address_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await forgetChoices(db, user_id, [address_id])
  return true
}

/** Deletes all reply addresses of an account, with the choices of them. */
export const deleteReplyAddresses = async (db: Db, user_id: string): Promise<void> => {
  const deleted = await db
    .deleteFrom('reply_addresses')
    .where('user_id', '=', user_id)
    .returning('id')
    .execute()
  await forgetChoices(
    db,
    user_id,
    deleted.map(({ id }) => id),
  )
}

const forgetChoices = async (
  db: Db,
  user_id: string,
  address_ids: readonly string[],
): Promise<void> => {
  if (address_ids.length === 0) return
  await db
    .updateTable('creator_settings')
    .set({ reply_to: 'account' })
    .where('user_id', '=', user_id)
    .where('reply_to', 'in', address_ids)
    .execute()
  await sql`
    update quiz_mails set reply_to = null from quizzes
    where quizzes.id = quiz_mails.quiz_id and creator_id = ${user_id}
      and reply_to = any(${address_ids as string[]}::text[])
  `.execute(db)
}
