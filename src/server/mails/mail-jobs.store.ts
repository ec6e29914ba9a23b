import { randomUUIDv7 } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { DigestedQuiz } from '#domain/deliveries/quiz-mail.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

/** Mails that tell what was done, to the address they name. */
export type NoticeKind =
  | 'password_changed'
  | 'email_changed'
  | 'account_deleted'
  | 'factor_added'
  | 'factor_removed'
  | 'ways_in_replaced'
  | 'connection_blocked'
  | 'webhook_blocked'

/** The kinds of mail. One named by an address is not sent when no account has that address. */
export type MailKind =
  | 'confirmation'
  | 'recovery'
  | 'otp'
  | 'invite'
  | 'email_change'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'
  | 'daily_digest'
  | NoticeKind

export type MailDetails = {
  redirect_to?: string | undefined
  code_challenge?: string | undefined
  code_challenge_method?: 's256' | 'plain' | undefined
  /** Of a sign-up by mail alone. */
  data?: Record<string, unknown> | undefined
  create_user?: boolean | undefined
  new_email?: string | undefined
  /** The email tool that refuses the creator's account, or the host of a webhook, as sentences call it. */
  tool?: string | undefined
  /** What the creator has to do about that, in a sentence. */
  to_do?: string | undefined
  nb_waiting?: number | undefined
  /** The quiz of a webhook that is refused. */
  quiz_id?: string | undefined
  /** The participants of a day. */
  digest?: DigestedQuiz[] | undefined
}

export type MailJob = Omit<Selectable<Tables['mail_jobs']>, 'details'> & { details: MailDetails }

/** The first second try comes a minute after the first one; each next one waits twice as long. */
const FIRST_DELAY = sql`interval '1 minute'`
const MOST_TRIES = 8

/** Asks for a mail in the caller's transaction; wake the mailer once it is committed. */
export const enqueueMail = async (
  db: Db,
  {
    kind,
    email,
    user_id = null,
    details = {},
  }: { kind: MailKind; email: string; user_id?: string | null; details?: MailDetails },
): Promise<void> => {
  await db
    .insertInto('mail_jobs')
    .values({ id: randomUUIDv7(), kind, email, user_id, details: JSON.stringify(details) })
    .execute()
}

/** Takes the next mail that is due; when it is not done with by then, it is due again later. */
export const claimMail = (db: Db): Promise<MailJob | undefined> =>
  db
    .updateTable('mail_jobs')
    .set({
      tries: sql`tries + 1`,
      due_at: sql`now() + ${FIRST_DELAY} * power(2, tries)`,
    })
    .where('id', '=', (query) =>
      query
        .selectFrom('mail_jobs')
        .select('id')
        .where('due_at', '<=', sql<string>`now()`)
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst() as Promise<MailJob | undefined>

/** True when a mail has been tried for hours, and no more. */
export const isLastTry = ({ tries }: MailJob): boolean => tries >= MOST_TRIES

export const deleteMail = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('mail_jobs').where('id', '=', id).execute()
}
