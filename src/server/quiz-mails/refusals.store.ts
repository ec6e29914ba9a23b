import type { Db } from '#server/db/database.ts'
import { mailboxDigest } from './mail-limits.store.ts'

type Refusal = { user_id: string; mailbox: Buffer }

/** From now on no participant's mail of this creator goes to this mailbox. */
export const refuseMails = async (db: Db, refusal: Refusal): Promise<void> => {
  await db
    .insertInto('mail_refusals')
    .values(refusal)
    .onConflict((known) => known.doNothing())
    .execute()
}

/** Whether the person wants no mails of this creator. */
export const hasRefused = async (
  db: Db,
  { user_id, email }: { user_id: string; email: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('mail_refusals')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('mailbox', '=', mailboxDigest(email))
    .executeTakeFirst()
  return row !== undefined
}
