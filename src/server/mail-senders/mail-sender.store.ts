import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import type { MailSender } from '#domain/mail-letters/letter.ts'
import { findReplyTo, type ReplySettings } from '#domain/mail-senders/reply-to.ts'
import { shownSenderName } from '#domain/mail-senders/sender-name.ts'
import { listReplyAddresses } from '#server/auth/reply-addresses/reply-addresses.store.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'

/** Stored settings of the sender of a quiz's mails. */
type SenderRow = ReplySettings & { quiz_name: string | null; account_name: string | null }

/**
 * Returns the name and the reply address of mails to the participants of a quiz, as they hold now. Both are null where
 * the creator set none. Call it directly before a mail is sent, because addresses can be removed while mails wait.
 */
export const loadMailSender = async (db: Db, quiz_id: string): Promise<MailSender> => {
  const { rows } = await sql<SenderRow>`
    select quizzes.sender_name as quiz_name, settings.sender_name as account_name,
      quiz_mails.reply_to as quiz_choice, coalesce(settings.reply_to, 'account') as account_choice,
      case when users.email_confirmed_at is not null and users.email_proven_by is not null then users.email end
        as account_email,
      coalesce(
        (
          select json_agg(json_build_object('id', id, 'email', reply_addresses.email))
          from reply_addresses where user_id = quizzes.creator_id
        ), '[]'
      ) as addresses
    from quizzes
      left join quiz_mails on quiz_mails.quiz_id = quizzes.id
      left join creator_settings as settings on settings.user_id = quizzes.creator_id
      left join users on users.id = quizzes.creator_id
    where quizzes.id = ${quiz_id}
  `.execute(db)
  const [row] = rows
  if (!row) return { from_name: null, reply_to: null }
  const from_name = shownSenderName(row.quiz_name) ?? shownSenderName(row.account_name)
  return { from_name, reply_to: findReplyTo(row) }
}

/** Choices of an account for the sender of its mails. */
type AccountSender = { sender_name: string | null; reply_to: string }

/** Returns the sender of a creator's mails; without a choice, no name and the address of the account. */
export const findSender = async (db: Db, user_id: string): Promise<AccountSender> =>
  (await db
    .selectFrom('creator_settings')
    .select(['sender_name', 'reply_to'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()) ?? { sender_name: null, reply_to: 'account' }

/** Returns the sender of a creator's mails, and blocks other changes until the transaction ends. */
export const lockSender = async (db: Db, user_id: string): Promise<AccountSender> => {
  await db
    .insertInto('creator_settings')
    .values({ user_id, time_zone: DEFAULT_TIME_ZONE })
    .onConflict((known) => known.column('user_id').doNothing())
    .execute()
  return db
    .selectFrom('creator_settings')
    .select(['sender_name', 'reply_to'])
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Stores the sender of a creator's mails. The caller has locked it. */
export const saveSender = async (
  db: Db,
  user_id: string,
  { sender_name, reply_to }: { [Name in keyof AccountSender]?: AccountSender[Name] | undefined },
): Promise<void> => {
  const changes = {
    ...(sender_name !== undefined && { sender_name: sender_name || null }),
    ...(reply_to !== undefined && { reply_to }),
  }
  if (Object.keys(changes).length > 0)
    await db.updateTable('creator_settings').set(changes).where('user_id', '=', user_id).execute()
}

/** Returns the address of an account if its owner has proven it; otherwise null. */
export const findProvenEmail = async (db: Db, user_id: string): Promise<string | null> => {
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user_id)
    .where('email_confirmed_at', 'is not', null)
    .where('email_proven_by', 'is not', null)
    .executeTakeFirst()
  return user?.email ?? null
}

/** Throws a 422 if a choice is the id of an address that the account does not have. */
export const requireKnownChoice = async (
  db: Db,
  user_id: string,
  choice: string | null | undefined,
): Promise<void> => {
  if (choice === undefined || choice === null || choice === 'account' || choice === 'none') return
  const addresses = await listReplyAddresses(db, user_id)
  if (!addresses.some(({ id }) => id === choice))
    throw invalid('Cette adresse n’est pas dans la liste de votre compte', 'reply_to')
}
