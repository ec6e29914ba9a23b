import { createHash } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { sql } from 'kysely'
import { mailboxKeyOf } from '#domain/common/addresses.ts'
import type { Db } from '#server/db/database.ts'

/**
 * Daily limits of mails (UTC), because visitors may type the address of another person. `per_mailbox` counts the
 * quizzes of all creators.
 */
const MAX_DAILY_MAILS = { per_mailbox: 6, per_mailbox_and_quiz: 3 } as const

type CountedMail = {
  email: string
  quiz_id: string
  user_id: string
  now: Date
  /** Daily limit of the creator. */
  max_creator_mails: number
}

/** Returns the digest that is stored in place of the subject of a limit or a refusal. */
const hashSubject = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

/** Returns the digest of a mailbox, which is stored instead of the address. */
export const hashMailbox = (email: string): Buffer => hashSubject('mailbox', mailboxKeyOf(email))

/**
 * Counts a mail before it is sent, for the mailbox in the quiz, the mailbox and the creator. Returns the limit that
 * is reached; undefined if the mail may be sent. A mail refused for one quiz does not count for the other quizzes.
 */
export const countMail = async (
  db: Db,
  { email, quiz_id, user_id, now, max_creator_mails }: CountedMail,
): Promise<'mailbox' | 'creator' | undefined> => {
  const day = sql`${now.toISOString().slice(0, 10)}::date`
  const mailbox = mailboxKeyOf(email)
  const step = (digest: Buffer, max_mails: number, before: string) => sql`
    insert into daily_mail_totals as total (day, subject_hash, count)
    select ${day}, ${digest}::bytea, 1
    where exists (select from ${sql.table(before)})
    on conflict (day, subject_hash) do update set count = total.count + 1 where total.count < ${max_mails}
    returning count`
  const creator = hashSubject('creator', user_id)
  const { rows } = await sql<{ has_room: boolean; is_mailbox: boolean; is_creator: boolean }>`
    with creator_capacity as (
      select where coalesce(
        (select count from daily_mail_totals where day = ${day} and subject_hash = ${creator}), 0
      ) < ${max_creator_mails}
    ), mailbox_and_quiz_count as (${step(hashSubject('both', mailbox, quiz_id), MAX_DAILY_MAILS.per_mailbox_and_quiz, 'creator_capacity')}),
    mailbox_count as (${step(hashMailbox(email), MAX_DAILY_MAILS.per_mailbox, 'mailbox_and_quiz_count')}),
    creator_count as (${step(creator, max_creator_mails, 'mailbox_count')})
    select exists (select from creator_capacity) as has_room, exists (select from mailbox_count) as is_mailbox,
      exists (select from creator_count) as is_creator
  `.execute(db)
  const [row] = rows
  if (!row?.has_room) return 'creator'
  if (!row.is_mailbox) return 'mailbox'
  return row.is_creator ? undefined : 'creator'
}

/** Returns the number of mails that participants and invited people of a creator got today (UTC). */
export const countCreatorMails = async (
  db: Db,
  { user_id, now }: { user_id: string; now: Date },
): Promise<number> => {
  const row = await db
    .selectFrom('daily_mail_totals')
    .select('count')
    .where('day', '=', now.toISOString().slice(0, 10))
    .where('subject_hash', '=', hashSubject('creator', user_id))
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Counts a result mail that a visitor of a network causes. Returns false if the network has reached its daily limit. */
export type AdmitMail = (network: string) => Promise<boolean>

/** Creates the daily limit of result mails that the visitors of one network may cause. */
export const createMailAdmission =
  (db: Db, max_mails: number, now = () => new Date()): AdmitMail =>
  (network) =>
    countOne(db, { digest: hashSubject('network', network), max_mails, now: now() })

/** Counts a mail to a creator. Returns false if the daily limit is reached. */
export const countNotice = async (
  db: Db,
  { user_id, now, max_mails }: { user_id: string; now: Date; max_mails: number },
): Promise<boolean> => countOne(db, { digest: hashSubject('notice', user_id), max_mails, now })

/** Counts a mail of the day (UTC). Returns false if the limit is reached. */
const countOne = async (
  db: Db,
  { digest, max_mails, now }: { digest: Buffer; max_mails: number; now: Date },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into daily_mail_totals as total (day, subject_hash, count)
    values (${now.toISOString().slice(0, 10)}::date, ${digest}, 1)
    on conflict (day, subject_hash) do update set count = total.count + 1 where total.count < ${max_mails}
    returning count
  `.execute(db)
  return rows.length > 0
}

/** Deletes the counters of the days before yesterday. */
export const deleteOldMailCounts = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from daily_mail_totals where day < (${now}::timestamptz at time zone 'UTC')::date - 1
  `.execute(db)
}

type Refusal = { user_id: string; mailbox_hash: Buffer }

/**
 * Stores that a mailbox refuses all mails of a creator to participants and invited people. Invitations without a reply
 * become refused at once.
 */
export const refuseMails = (db: Db, refusal: Refusal): Promise<void> =>
  db.transaction().execute(async (change) => {
    await change
      .insertInto('mail_unsubscribes')
      .values(refusal)
      .onConflict((known) => known.doNothing())
      .execute()
    await sql`
      with refused_invitation as (
        select quiz_id, invitations.id
        from invitations join all_quizzes on all_quizzes.id = quiz_id
        where mailbox_hash = ${refusal.mailbox_hash} and creator_id = ${refusal.user_id}
          and replied_at is null and refused_at is null
        order by quiz_id, invitations.id for update of invitations
      )
      update invitations as invitation
      set refused_at = now(), refusal = 'unsubscribed',
        next_attempt_at = case when lease_id is not null then next_attempt_at end, sealed_progress = null
      from refused_invitation
      where (invitation.quiz_id, invitation.id) = (refused_invitation.quiz_id, refused_invitation.id)
    `.execute(change)
  })

/** Returns the keys of stored refusals of a mailbox: with its ASCII domain, and with the typed domain of earlier rows. */
const refusalKeys = (email: string): Buffer[] => {
  const mailbox = mailboxKeyOf(email)
  const at = mailbox.lastIndexOf('@') + 1
  const former = mailbox.slice(0, at) + domainToUnicode(mailbox.slice(at))
  return [hashMailbox(mailbox), ...(former === mailbox ? [] : [hashSubject('mailbox', former)])]
}

/** Returns the mailboxes (`mailboxKeyOf`) among these addresses that refuse the mails of a creator. */
export const listRefusals = async (
  db: Db,
  { user_id, emails }: { user_id: string; emails: readonly string[] },
): Promise<Set<string>> => {
  const mailboxes = new Map(
    emails.flatMap((email) =>
      refusalKeys(email).map((key) => [key.toString('hex'), mailboxKeyOf(email)]),
    ),
  )
  const { rows } = await sql<{ mailbox_hash: string }>`
    select encode(mailbox_hash, 'hex') as mailbox_hash from mail_unsubscribes
    where user_id = ${user_id} and mailbox_hash in (
      select decode(hash, 'hex') from unnest(${[...mailboxes.keys()]}::text[]) as hash
    )
  `.execute(db)
  return new Set(rows.map((row) => mailboxes.get(row.mailbox_hash) ?? ''))
}

/** Returns true if the person refused the mails of this creator, in any spelling of the address. */
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
