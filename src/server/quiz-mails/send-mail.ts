import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { parseRichText } from '#contract/parse-rich-text.ts'
import { canonicalEmail } from '#domain/common/addresses.ts'
import { type ChannelName, MAIL } from '#domain/common/vocabulary.ts'
import {
  composeMail,
  defaultMail,
  type QuizMail,
  type ResultMailInput,
} from '#domain/deliveries/quiz-mail.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type { DeliveryOutcome, Failure } from '#server/integrations/providers/provider.ts'
import {
  permanent,
  rateLimited,
  transient,
} from '#server/integrations/providers/provider-requests.ts'
import { type Letter, renderLetterHtml, renderLetterText } from '#server/mails/letter.ts'
import { noticeLetter, resultLetter } from '#server/mails/quiz-letters.ts'
import type { Transport } from '#server/mails/transport.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import { countMail, countNotice, hasRefused } from './mail-limits.store.ts'
import type { UnsubscribeLinks } from './unsubscribe.ts'

/** A participant, as both mails tell of them. */
export type LoadedMail = {
  /** Whose quiz it is. */
  user_id: string
  /** What the creator wrote for participants. */
  mail: QuizMail
  snapshot: Snapshot
  replies: Replies
  result: SnapshotResult | null
  email: string | null
  consent_version: number | null
}
export type SendingKey = { quiz_id: string; participant_uuid: string; connection_id: string }

/** Gives how to load what a mail says of a participant; undefined when they are gone, or the mail is switched off. */
export const createMailLoader = (db: Db) => {
  return async ({
    quiz_id,
    participant_uuid,
    connection_id,
  }: SendingKey): Promise<LoadedMail | undefined> => {
    const row = await db
      .selectFrom('responses')
      .innerJoin('integration_connections as connected', 'connected.quiz_id', 'responses.quiz_id')
      .leftJoin('quiz_mails', 'quiz_mails.quiz_id', 'responses.quiz_id')
      .select(['user_id', 'subject', 'text', 'version', 'email', 'result_position'])
      .select(['consent_version', 'choices', 'texts'])
      .where('responses.quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .where('connected.id', '=', connection_id)
      .where('connected.status', '<>', 'disconnected')
      .executeTakeFirst()
    const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
    if (!row || !snapshot) return undefined
    const { user_id, subject, text, email, consent_version, result_position } = row
    const own = defaultMail(snapshot.quiz.type)
    return {
      ...{ user_id, snapshot, email, consent_version },
      mail: { subject: subject ?? own.subject, text: text ?? own.text },
      replies: unpackReplies(snapshot, row),
      result: snapshot.results[result_position ?? -1] ?? null,
    }
  }
}

type Leased = SendingKey & { lease_id: string }

/**
 * Writes that the mail server has taken a mail, before anything else is done: between its answer and this one statement
 * alone a process that is killed leaves a mail that another sends again, under the same Message-ID.
 */
export const recordSentMail = async (
  db: Db,
  { quiz_id, participant_uuid, connection_id, lease_id }: Leased,
): Promise<void> => {
  await sql`
    update deliveries set completed_calls = coalesce(completed_calls, '{}') || '{"is_counted": true, "is_mailed": true}'
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
      and connection_id = ${connection_id} and lease_id = ${lease_id}
  `.execute(db)
}

/** What a participant is sent of their run, and what a test of the quiz shows of it. */
export const writeResultMail = (
  mail: QuizMail,
  run: ResultMailInput,
  unsubscribe_url: string,
): Letter => {
  const { subject, body } = composeMail(mail, run, parseRichText)
  return resultLetter({ subject, body, quiz_name: run.snapshot.quiz.name, unsubscribe_url })
}

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error
    ? (error as Record<string, unknown>)[name]
    : undefined

/** What the mail server answers to every recipient when it does not take our mails at all: its operator's to mend. */
const OF_OURS = new Set([521, 530, 534, 535, 538])

/**
 * What a mail that did not leave means. A 5xx to the recipient or to the message itself is final (RFC 5321 §4.2.1); everything
 * else may pass: a 4xx, a server that is away, or one that refuses the site.
 */
export const smtpFailure = (error: unknown): Failure => {
  const [code, command, status] = ['code', 'command', 'responseCode'].map((name) =>
    fieldOf(error, name),
  )
  if (code === 'EENVELOPE' && command === 'API') return permanent('invalid_email')
  if (typeof status === 'number') {
    if (status < 500 || OF_OURS.has(status)) return transient(`smtp_${status}`)
    if (command === 'RCPT TO') return permanent('mailbox_refused')
    if (code === 'EMESSAGE' || command === 'DATA') return permanent('mail_refused')
    return transient(`smtp_${status}`)
  }
  return transient(code === 'ETIMEDOUT' ? 'timeout' : 'network')
}

/** A delivery by mail, as it was claimed. */
type Claimed = SendingKey & {
  provider: ChannelName
  lease_id: string
  completed_calls: CompletedCalls
}
export type SendMail = (claimed: Claimed) => Promise<DeliveryOutcome>

type Needs = {
  db: Db
  /** Undefined where no mail server is configured: what waits, waits. */
  transport: Transport | undefined
  links: UnsubscribeLinks
  public_url: string
  /** Mails to the participants of one creator in a day. */
  mails_per_day: number
  now?: () => Date
}

/** To a creator who wants each participant; those beyond are in the statistics. */
const NOTICES_A_DAY = 200
const WAIT_FOR_SERVER_MS = 600_000

type Written = { to: string; letter: Letter; unsubscribe_url?: string }
type Refused = Failure | { kind: 'suppressed'; reason: 'unsubscribed' }

/** The same at every try, by whichever process; it is what a mailbox that gets a mail twice may know it by. */
const messageId = (key: SendingKey, public_url: string): string => {
  const parts = [key.quiz_id, key.participant_uuid, key.connection_id].join(' ')
  const digest = createHash('sha256').update(parts).digest('base64url')
  return `${digest}@${new URL(public_url).hostname}`
}

/**
 * Sends the two mails of a quiz (docs/decisions/043): to participants their result, to creators who came. Nothing is thrown
 * for what the mail server does.
 */
export const createSendMail = ({
  db,
  transport,
  links,
  public_url,
  mails_per_day,
  now = () => new Date(),
}: Needs): SendMail => {
  const loadSending = createMailLoader(db)

  const writeToParticipant = async (
    { user_id, mail, ...run }: LoadedMail,
    { quiz_id }: Claimed,
    isCounted: boolean,
  ): Promise<Written | Refused> => {
    const { snapshot, result } = run
    // Addresses that were stored earlier may have another spelling.
    const email = run.email && canonicalEmail(run.email)
    if (!email) return permanent('invalid_email')
    if (snapshot.quiz.type === 'quiz' && !result) return permanent('no_result')
    if (await hasRefused(db, { user_id, email }))
      return { kind: 'suppressed', reason: 'unsubscribed' }
    const counted = { email, quiz_id, user_id, now: now(), of_creator: mails_per_day }
    const full = isCounted ? undefined : await countMail(db, counted)
    if (full === 'mailbox') return permanent('enough_mails')
    if (full === 'creator') return { ...rateLimited(untilTomorrow(now())), code: 'mails_of_today' }
    const unsubscribe_url = links.write({ user_id, email })
    const letter = writeResultMail(mail, { ...run, email }, unsubscribe_url)
    return { to: email, letter, unsubscribe_url }
  }

  const writeNotice = async (
    { user_id, snapshot, result, email, consent_version }: LoadedMail,
    { quiz_id, participant_uuid }: Claimed,
    isCounted: boolean,
  ): Promise<Written | Refused> => {
    const to = await findAccountEmail(db, user_id)
    if (to === null) return permanent('no_address')
    const counted = { user_id, now: now(), most: NOTICES_A_DAY }
    if (!isCounted && !(await countNotice(db, counted))) return permanent('enough_notices')
    const letter = noticeLetter({
      quiz_name: snapshot.quiz.name,
      result: result?.name ?? null,
      email: consent_version === 0 ? null : email,
      url: `${public_url}/quiz/${quiz_id}/statistics?participant=${participant_uuid}`,
    })
    return { to, letter }
  }

  return async (claimed) => {
    const { provider, completed_calls } = claimed
    // Another process was killed after the mail server had taken it.
    if (completed_calls.is_mailed)
      return { kind: 'delivered', vendor_contact_id: null, completed_calls }
    if (!transport) return { ...rateLimited(WAIT_FOR_SERVER_MS), code: 'no_smtp', completed_calls }
    const sending = await loadSending(claimed)
    // Switched off in between: what looks for such deliveries every hour settles it.
    if (!sending) return { ...transient('switched_off'), completed_calls }
    const write = provider === MAIL ? writeToParticipant : writeNotice
    const written = await write(sending, claimed, completed_calls.is_counted === true)
    if ('kind' in written) return { ...written, completed_calls }
    const { to, letter, ...ways_out } = written
    const mail = {
      to,
      subject: letter.subject,
      html: renderLetterHtml(letter),
      text: renderLetterText(letter),
    }
    const message_id = messageId(claimed, public_url)
    try {
      await transport.send({ ...mail, ...ways_out, message_id })
    } catch (error) {
      return { ...smtpFailure(error), completed_calls: { ...completed_calls, is_counted: true } }
    }
    // Where this fails, the settlement may still be written.
    await recordSentMail(db, claimed).catch(() => undefined)
    return {
      ...{ kind: 'delivered', vendor_contact_id: null },
      completed_calls: { ...completed_calls, is_counted: true, is_mailed: true },
    }
  }
}

const DAY_MS = 86_400_000
const untilTomorrow = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS)
