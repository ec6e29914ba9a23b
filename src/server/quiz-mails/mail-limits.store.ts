import { createHash } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { sql } from 'kysely'
import { mailboxKeyOf } from '#domain/common/addresses.ts'
import type { Db } from '#server/db/database.ts'

/**
 * The mails of a day (UTC). A visitor may type any address: a mailbox gets few of them, over the quizzes of all
 * creators, and the participants of one creator get no more than a small newsletter sends.
 */
const MAILS_A_DAY = { of_mailbox: 6, of_mailbox_and_quiz: 3 } as const

type Counted = { email: string; quiz_id: string; user_id: string; now: Date; of_creator: number }

/** Returns the digest that stands for the subject of a limit or a refusal, so that the subject is not stored. */
const hashSubject = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

/** What a mailbox is known by where its address is not to be kept. */
export const hashMailbox = (email: string): Buffer => hashSubject('mailbox', mailboxKeyOf(email))

/**
 * Counts a mail before it is sent, by whichever process, in one statement: of its mailbox in the quiz, of its mailbox, of the
 * creator. What one quiz is refused does not count for the others; a mailbox that is full stays so for the day, in every quiz.
 * Gives which of them has had its mails of the day; undefined when it may be sent.
 */
export const countMail = async (
  db: Db,
  { email, quiz_id, user_id, now, of_creator }: Counted,
): Promise<'mailbox' | 'creator' | undefined> => {
  const day = sql`${now.toISOString().slice(0, 10)}::date`
  const mailbox = mailboxKeyOf(email)
  const step = (digest: Buffer, most: number, before: string) => sql`
    insert into daily_mail_totals as kept (day, subject_hash, count)
    select ${day}, ${digest}::bytea, 1
    where exists (select from ${sql.table(before)})
    on conflict (day, subject_hash) do update set count = kept.count + 1 where kept.count < ${most}
    returning count`
  const creator = hashSubject('creator', user_id)
  const { rows } = await sql<{ has_room: boolean; is_mailbox: boolean; is_creator: boolean }>`
    with room as (
      select where coalesce(
        (select count from daily_mail_totals where day = ${day} and subject_hash = ${creator}), 0
      ) < ${of_creator}
    ), of_both as (${step(hashSubject('both', mailbox, quiz_id), MAILS_A_DAY.of_mailbox_and_quiz, 'room')}),
    of_mailbox as (${step(hashMailbox(email), MAILS_A_DAY.of_mailbox, 'of_both')}),
    of_creator as (${step(creator, of_creator, 'of_mailbox')})
    select exists (select from room) as has_room, exists (select from of_mailbox) as is_mailbox,
      exists (select from of_creator) as is_creator
  `.execute(db)
  const [row] = rows
  if (!row?.has_room) return 'creator'
  if (!row.is_mailbox) return 'mailbox'
  return row.is_creator ? undefined : 'creator'
}

/** Counts a result mail that a visitor of a network causes. Returns false if the network has reached its daily limit. */
export type AdmitMail = (network: string) => Promise<boolean>

/** Creates the daily limit of result mails that the visitors of one network may cause. */
export const createMailAdmission =
  (db: Db, most: number, now = () => new Date()): AdmitMail =>
  (network) =>
    countOne(db, { digest: hashSubject('network', network), most, now: now() })

/** Counts a mail to a creator; false when they have had those of the day. */
export const countNotice = async (
  db: Db,
  { user_id, now, most }: { user_id: string; now: Date; most: number },
): Promise<boolean> => countOne(db, { digest: hashSubject('notice', user_id), most, now })

/** Counts one mail of a day (UTC); false if the limit is reached. */
const countOne = async (
  db: Db,
  { digest, most, now }: { digest: Buffer; most: number; now: Date },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into daily_mail_totals as kept (day, subject_hash, count)
    values (${now.toISOString().slice(0, 10)}::date, ${digest}, 1)
    on conflict (day, subject_hash) do update set count = kept.count + 1 where kept.count < ${most}
    returning count
  `.execute(db)
  return rows.length > 0
}

/** Forgets the counts of the days before yesterday. */
export const deleteOldMailCounts = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from daily_mail_totals where day < (${now}::timestamptz at time zone 'UTC')::date - 1
  `.execute(db)
}

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
  const mailbox = mailboxKeyOf(email)
  const at = mailbox.lastIndexOf('@') + 1
  const former = mailbox.slice(0, at) + domainToUnicode(mailbox.slice(at))
  return [hashMailbox(mailbox), ...(former === mailbox ? [] : [hashSubject('mailbox', former)])]
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
