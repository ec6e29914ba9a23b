import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalEmail } from '#domain/common/addresses.ts'
import { type ChannelName, MAIL } from '#domain/common/vocabulary.ts'
import type { ResultMailInput } from '#domain/deliveries/mail-insertions.ts'
import { composeMail, defaultMail, type QuizMail } from '#domain/deliveries/quiz-mail.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { Block } from '#domain/run/rich-text.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type { DeliveryOutcome, Failure } from '#server/integrations/providers/provider.ts'
import {
  fieldOf,
  permanent,
  rateLimited,
  transient,
} from '#server/integrations/providers/provider-requests.ts'
import { type Letter, renderLetter } from '#server/mails/letter.ts'
import { noticeLetter, resultLetter } from '#server/mails/quiz-letters.ts'
import type { Attachment, Transport } from '#server/mails/transport.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { extendReader, type ReadText } from '#server/rich-texts/text-parser.ts'
import { loadMailDocuments, withLinks } from './mail-documents.ts'
import { countMail, countNotice, hasRefused } from './mail-limits.store.ts'
import type { UnsubscribeLinks } from './unsubscribe.ts'

/** Participant data for both mails. */
export type LoadedMail = {
  /** Creator of the quiz. */
  user_id: string
  /** Texts of the creator for participants. */
  mail: QuizMail
  snapshot: Snapshot
  version: number
  replies: Replies
  result: SnapshotResult | null
  email: string | null
  consent_version: number | null
  keeps_page: boolean
}
/** Key of a delivery by mail. */
export type SendingKey = { quiz_id: string; participant_uuid: string; connection_id: string }

/**
 * Creates a loader of the data for a mail. The loader returns undefined if the participant is gone or the mail is
 * disabled.
 */
export const createMailLoader = (db: Db) => {
  return async ({
    quiz_id,
    participant_uuid,
    connection_id,
  }: SendingKey): Promise<LoadedMail | undefined> => {
    const row = await db
      .selectFrom('responses')
      .innerJoin('integration_connections as connection', 'connection.quiz_id', 'responses.quiz_id')
      .leftJoin('quiz_mails', 'quiz_mails.quiz_id', 'responses.quiz_id')
      .innerJoin('quizzes', 'quizzes.id', 'responses.quiz_id')
      .select(['keeps_page', 'user_id', 'subject', 'text', 'version', 'email', 'result_position'])
      .select(['consent_version', 'choices', 'texts'])
      .where('responses.quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .where('connection.id', '=', connection_id)
      .where('connection.status', '<>', 'disconnected')
      .executeTakeFirst()
    const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
    if (!row || !snapshot) return undefined
    const { user_id, version, subject, text, email, consent_version } = row
    const { result_position, keeps_page } = row
    const own = defaultMail(snapshot.quiz)
    return {
      user_id,
      snapshot,
      version,
      email,
      consent_version,
      keeps_page,
      mail: { subject: subject ?? own.subject, text: text ?? own.text },
      replies: unpackReplies(snapshot, row),
      result: snapshot.results[result_position ?? -1] ?? null,
    }
  }
}

type LeasedMail = SendingKey & { lease_id: string }

/**
 * Records that the mail server accepted a mail. Called directly after the reply of the server, so that a killed
 * process rarely leads to a second mail. A second mail has the Message-ID of the first.
 */
export const recordSentMail = async (
  db: Db,
  { quiz_id, participant_uuid, connection_id, lease_id }: LeasedMail,
): Promise<void> => {
  await sql`
    update deliveries set completed_calls = coalesce(completed_calls, '{}') || '{"is_counted": true, "is_mailed": true}'
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
      and connection_id = ${connection_id} and lease_id = ${lease_id}
  `.execute(db)
}

/** Returns the function that reads the texts of a version and the text of its result mail; undefined without the version. */
export const findMailReader = async (
  compiled: Pick<CompiledVersions, 'find' | 'texts'>,
  { quiz_id, version }: { quiz_id: string; version: number },
  { text }: Pick<QuizMail, 'text'>,
  signal?: AbortSignal,
): Promise<ReadText | undefined> => {
  const compiledVersion = await compiled.find(quiz_id, version, signal)
  if (!compiledVersion) return undefined
  const job = { kind: 'mail', owner: compiledVersion.creator_id, signal } as const
  return extendReader(compiledVersion.read, text, await compiled.texts.parse(text, job))
}

/** Returns the result mail of a run, for participants and for the preview of a test. */
export const writeResultMail = (
  mail: QuizMail,
  run: ResultMailInput,
  unsubscribe_url: string,
  { read, links = [] }: { read: ReadText; links?: readonly Block[] },
): Letter => {
  const { subject, body: text } = composeMail(mail, run, read)
  const body = withLinks(text, links)
  return resultLetter({ subject, body, quiz: run.snapshot.quiz, unsubscribe_url })
}

/** Returns the mail that tells the creator about a run, for deliveries and for the preview of a test. */
export const writeNotice = (
  {
    snapshot,
    result,
    email,
    consent_version,
  }: Pick<LoadedMail, 'snapshot' | 'result' | 'email' | 'consent_version'>,
  {
    quiz_id,
    participant_uuid,
    public_url,
  }: { quiz_id: string; participant_uuid: string; public_url: string },
): Letter =>
  noticeLetter({
    quiz: snapshot.quiz,
    result: result?.name ?? null,
    email: consent_version === 0 ? null : email,
    url: `${public_url}/quiz/${quiz_id}/statistics?participant=${participant_uuid}`,
  })

/** SMTP codes with which a server refuses all mails of this site, which its operator has to repair. */
const SITE_REFUSAL_CODES = new Set([521, 530, 534, 535, 538])

/**
 * Converts an SMTP error to a failure. A 5xx for the recipient or the message is final (RFC 5321 §4.2.1). Other
 * errors may pass.
 */
export const smtpFailure = (error: unknown): Failure => {
  const [code, command, status] = ['code', 'command', 'responseCode'].map((name) =>
    fieldOf(error, name),
  )
  if (code === 'EENVELOPE' && command === 'API') return permanent('invalid_email')
  if (typeof status === 'number') {
    if (status < 500 || SITE_REFUSAL_CODES.has(status)) return transient(`smtp_${status}`)
    if (command === 'RCPT TO') return permanent('mailbox_refused')
    if (code === 'EMESSAGE' || command === 'DATA') return permanent('mail_refused')
    return transient(`smtp_${status}`)
  }
  return transient(code === 'ETIMEDOUT' ? 'timeout' : 'network')
}

/** Claimed delivery by mail. */
type ClaimedMailDelivery = SendingKey & {
  provider: ChannelName
  lease_id: string
  completed_calls: CompletedCalls
}
/** Sends a claimed delivery by mail. */
export type SendMail = (claimed: ClaimedMailDelivery) => Promise<DeliveryOutcome>

type Dependencies = {
  db: Db
  compiled: Pick<CompiledVersions, 'find' | 'texts'>
  /** Mail server; undefined if none is configured, then deliveries stay pending. */
  transport: Transport | undefined
  links: UnsubscribeLinks
  reports: Reports
  public_url: string
  /** Daily limit of mails to the participants of one creator. */
  mails_per_day: number
  now?: () => Date
}

/** Daily limit of notices to a creator; the statistics show all participants. */
const MAX_DAILY_NOTICES = 200
const WAIT_FOR_SERVER_MS = 600_000

type AddressedLetter = {
  to: string
  letter: Letter
  unsubscribe_url?: string
  attachments?: readonly Attachment[]
}
type RefusedMail = Failure | { kind: 'suppressed'; reason: 'unsubscribed' }

/** Returns the Message-ID, which is the same for all attempts, so that mailboxes can detect duplicates. */
const messageId = (key: SendingKey, public_url: string): string => {
  const parts = [key.quiz_id, key.participant_uuid, key.connection_id].join(' ')
  const digest = createHash('sha256').update(parts).digest('base64url')
  return `${digest}@${new URL(public_url).hostname}`
}

/**
 * Creates the function that sends results to participants and notices to creators (docs/decisions/043). Returns
 * failures of the mail server instead of throwing.
 */
export const createSendMail = ({
  db,
  compiled,
  transport,
  links,
  reports,
  public_url,
  mails_per_day,
  now = () => new Date(),
}: Dependencies): SendMail => {
  const loadSending = createMailLoader(db)

  const writeToParticipant = async (
    { user_id, version, mail, keeps_page, ...run }: LoadedMail,
    key: ClaimedMailDelivery,
    isCounted: boolean,
  ): Promise<AddressedLetter | RefusedMail> => {
    const { quiz_id } = key
    const { snapshot, result } = run
    // Addresses stored by earlier versions may have another spelling.
    const email = run.email && canonicalEmail(run.email)
    if (!email) return permanent('invalid_email')
    if (snapshot.quiz.type === 'quiz' && !result) return permanent('no_result')
    if (await hasRefused(db, { user_id, email }))
      return { kind: 'suppressed', reason: 'unsubscribed' }
    const read = await findMailReader(compiled, { quiz_id, version }, mail)
    if (!read) return transient('switched_off')
    const counted = { email, quiz_id, user_id, now: now(), max_creator_mails: mails_per_day }
    const reachedLimit = isCounted ? undefined : await countMail(db, counted)
    if (reachedLimit === 'mailbox') return permanent('enough_mails')
    if (reachedLimit === 'creator')
      return { ...rateLimited(untilTomorrow(now())), code: 'mails_of_today' }
    const unsubscribe_url = links.write({ user_id, email })
    const documents = await loadMailDocuments({ reports, public_url }, key, run)
    const page_url = keeps_page ? reports.pageUrl(key) : null
    const input = { ...run, email, page_url }
    const letter = writeResultMail(mail, input, unsubscribe_url, {
      read,
      links: documents.links,
    })
    return { to: email, letter, unsubscribe_url, attachments: documents.attachments }
  }

  const writeToCreator = async (
    { user_id, ...run }: LoadedMail,
    { quiz_id, participant_uuid }: ClaimedMailDelivery,
    isCounted: boolean,
  ): Promise<AddressedLetter | RefusedMail> => {
    const to = await findAccountEmail(db, user_id)
    if (to === null) return permanent('no_address')
    const counted = { user_id, now: now(), max_mails: MAX_DAILY_NOTICES }
    if (!isCounted && !(await countNotice(db, counted))) return permanent('enough_notices')
    return { to, letter: writeNotice(run, { quiz_id, participant_uuid, public_url }) }
  }

  return async (claimed) => {
    const { provider, completed_calls } = claimed
    // A killed process has already sent the mail.
    if (completed_calls.is_mailed)
      return { kind: 'delivered', vendor_contact_id: null, completed_calls }
    if (!transport) return { ...rateLimited(WAIT_FOR_SERVER_MS), code: 'no_smtp', completed_calls }
    const sending = await loadSending(claimed)
    // The mail was disabled after the claim; the hourly maintenance settles the delivery.
    if (!sending) return { ...transient('switched_off'), completed_calls }
    const write = provider === MAIL ? writeToParticipant : writeToCreator
    const written = await write(sending, claimed, completed_calls.is_counted === true)
    if ('kind' in written) return { ...written, completed_calls }
    const { to, letter, ...unsubscription } = written
    const mail = { to, ...(await renderLetter(letter)) }
    const message_id = messageId(claimed, public_url)
    try {
      await transport.send({ ...mail, ...unsubscription, message_id })
    } catch (error) {
      return { ...smtpFailure(error), completed_calls: { ...completed_calls, is_counted: true } }
    }
    // The settlement may still succeed if this statement fails.
    await recordSentMail(db, claimed).catch(() => undefined)
    return {
      kind: 'delivered',
      vendor_contact_id: null,
      completed_calls: { ...completed_calls, is_counted: true, is_mailed: true },
    }
  }
}

const DAY_MS = 86_400_000
const untilTomorrow = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS)
