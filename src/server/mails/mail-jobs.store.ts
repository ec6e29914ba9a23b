import { randomUUIDv7 } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { QuizType } from '#domain/common/vocabulary.ts'
import type { DigestedQuiz } from '#domain/deliveries/mail-digest.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

/** Kinds of notices. A notice is a mail without a sign-in link that reports an event to the queued address. */
export type NoticeKind =
  | 'password_changed'
  | 'email_changed'
  | 'account_deleted'
  | 'factor_added'
  | 'factor_removed'
  /** All sign-in methods of the account were replaced. */
  | 'ways_in_replaced'
  | 'connection_blocked'
  | 'webhook_blocked'

/**
 * Kinds of queued mails. Notices and `daily_digest` go to the queued address without a check. All other mails are sent
 * only if the address still belongs to the account, except `otp` (may create an account), `email_change_new` (goes
 * to the pending address) and `reply_address` (goes to the address that its code confirms).
 */
export type MailKind =
  | 'confirmation'
  | 'recovery'
  | 'otp'
  | 'invite'
  | 'email_change'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'
  | 'reply_address'
  | 'daily_digest'
  | NoticeKind

/** Details of a queued mail, which depend on its kind. */
export type MailDetails = {
  redirect_to?: string | undefined
  code_challenge?: string | undefined
  code_challenge_method?: 's256' | 'plain' | undefined
  /** Metadata of a sign-up by mail alone. */
  data?: Record<string, unknown> | undefined
  create_user?: boolean | undefined
  new_email?: string | undefined
  /** Name of the email tool that refuses the creator's account, or host of the webhook. */
  tool?: string | undefined
  /** French sentence that tells the creator what to do. */
  to_do?: string | undefined
  nb_waiting?: number | undefined
  /** Quiz of a refused webhook. */
  quiz_id?: string | undefined
  quiz_type?: QuizType | undefined
  /** Participants of a day. */
  digest?: DigestedQuiz[] | undefined
}

/** A queued mail. */
export type MailJob = Omit<Selectable<Tables['mail_jobs']>, 'details'> & { details: MailDetails }

/** Delay of the second try; each further delay is twice as long. */
const FIRST_DELAY = sql`interval '1 minute'`
const MAX_TRIES = 8

/** Queues a mail in the caller's transaction. The caller wakes the mailer after the commit. */
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

/** Claims the next due mail. An unfinished mail becomes due again later. */
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

/** Returns true if a mail has been tried for hours and must not be tried again. */
export const isLastTry = ({ tries }: MailJob): boolean => tries >= MAX_TRIES

/** Deletes a queued mail. */
export const deleteMail = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('mail_jobs').where('id', '=', id).execute()
}
