import { domainToUnicode } from 'node:url'
import { mailboxOf } from '#domain/mailbox.ts'
import type { Db } from '#server/db/database.ts'
import { digestOf, mailboxDigest } from './mail-limits.store.ts'

type Refusal = { user_id: string; mailbox_hash: Buffer }

/** From now on no participant's mail of this creator goes to this mailbox. */
export const refuseMails = async (db: Db, refusal: Refusal): Promise<void> => {
  await db
    .insertInto('mail_unsubscribes')
    .values(refusal)
    .onConflict((known) => known.doNothing())
    .execute()
}

/** Returns the keys of stored refusals of a mailbox: with its ASCII domain, and with the typed domain of earlier rows. */
const refusalKeys = (email: string): Buffer[] => {
  const mailbox = mailboxOf(email)
  const at = mailbox.lastIndexOf('@') + 1
  const former = mailbox.slice(0, at) + domainToUnicode(mailbox.slice(at))
  return [mailboxDigest(mailbox), ...(former === mailbox ? [] : [digestOf('mailbox', former)])]
}

/** True if the person wants no mails of this creator, whichever spelling of the address refused them. */
export const hasRefused = async (
  db: Db,
  { user_id, email }: { user_id: string; email: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('mail_unsubscribes')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('mailbox_hash', 'in', refusalKeys(email))
    .executeTakeFirst()
  return row !== undefined
}
