import { createHash } from 'node:crypto'
import { canonicalEmail } from '#domain/common/addresses.ts'
import { type ChannelName, MAIL, NOTICE } from '#domain/common/vocabulary.ts'
import type { Letter, MailSender } from '#domain/mail-letters/letter.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import { confirmationLetter } from '#server/confirmations/confirmation-letter.ts'
import type { ConfirmationLinks } from '#server/confirmations/confirmation-links.ts'
import { findConfirmationRequest } from '#server/confirmations/confirmations.store.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type { DeliveryOutcome, Failure } from '#server/integrations/providers/provider.ts'
import {
  fieldOf,
  permanent,
  rateLimited,
  transient,
} from '#server/integrations/providers/provider-requests.ts'
import { loadMailSender } from '#server/mail-senders/mail-sender.store.ts'
import { renderLetter } from '#server/mails/render-letter.ts'
import type { Attachment, Transport } from '#server/mails/transport.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import {
  createMailLoader,
  type LoadedMail,
  recordSentMail,
  type SendingKey,
} from './mail-data.store.ts'
import { loadMailDocuments, pageLinks } from './mail-documents.ts'
import { countMail, countNotice, hasRefused } from './mail-limits.store.ts'
import type { UnsubscribeLinks } from './unsubscribe.ts'
import {
  findMailReader,
  participantAddress,
  writeNotice,
  writeResultMail,
} from './write-quiz-mail.ts'

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
  confirmationLinks: ConfirmationLinks
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
  sender: MailSender
  unsubscribe_url?: string
  attachments?: readonly Attachment[]
}
type RefusedMail = Failure | { kind: 'suppressed'; reason: 'unsubscribed' }
/** Result of a mail that is not needed any more. */
type NeedlessMail = { kind: 'delivered'; vendor_contact_id: null }

/**
 * Returns the Message-ID, which is the same for all attempts, so that mailboxes can detect duplicates. A reminder has
 * its own.
 */
const messageId = (key: ClaimedMailDelivery, public_url: string): string => {
  const reminder = key.completed_calls.is_reminder ? ['reminder'] : []
  const parts = [key.quiz_id, key.participant_uuid, key.connection_id, ...reminder].join(' ')
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
  confirmationLinks,
  reports,
  public_url,
  mails_per_day,
  now = () => new Date(),
}: Dependencies): SendMail => {
  const loadSending = createMailLoader(db)

  /**
   * Returns the failure of a mail that a participant must not get: after an unsubscription, or beyond a daily limit.
   * Counts other mails once.
   */
  const refuseMail = async (
    email: string,
    { quiz_id, user_id }: { quiz_id: string; user_id: string },
    isCounted: boolean,
  ): Promise<RefusedMail | undefined> => {
    if (await hasRefused(db, { user_id, email }))
      return { kind: 'suppressed', reason: 'unsubscribed' }
    const counted = { email, quiz_id, user_id, now: now(), max_creator_mails: mails_per_day }
    const reachedLimit = isCounted ? undefined : await countMail(db, counted)
    if (reachedLimit === 'mailbox') return permanent('enough_mails')
    if (reachedLimit === 'creator')
      return { ...rateLimited(untilTomorrow(now())), code: 'mails_of_today' }
    return undefined
  }

  const writeConfirmation = async (
    { user_id, snapshot }: LoadedMail,
    claimed: ClaimedMailDelivery,
    isCounted: boolean,
  ): Promise<AddressedLetter | RefusedMail | NeedlessMail> => {
    const request = await findConfirmationRequest(db, claimed)
    if (request?.state !== 'waiting' || request.is_withdrawn)
      return { kind: 'delivered', vendor_contact_id: null }
    const { email, consent_text, is_mailed } = request
    const refusal = await refuseMail(email, { quiz_id: claimed.quiz_id, user_id }, isCounted)
    if (refusal) return refusal
    const unsubscribe_url = links.write({ user_id, email })
    const sender = await loadMailSender(db, claimed.quiz_id)
    const letter = confirmationLetter({
      quiz: snapshot.quiz,
      email,
      sender_name: sender.from_name ?? null,
      consent_text,
      is_mailed,
      is_reminder: claimed.completed_calls.is_reminder === true,
      url: confirmationLinks.write(claimed),
      unsubscribe_url,
    })
    return { to: email, letter, sender, unsubscribe_url }
  }

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
    const read = await findMailReader(compiled, { quiz_id, version }, mail)
    if (!read) return transient('switched_off')
    const refusal = await refuseMail(email, { quiz_id, user_id }, isCounted)
    if (refusal) return refusal
    const unsubscribe_url = links.write({ user_id, email })
    const { shows_result } = mail
    const documents = await loadMailDocuments({ reports, public_url }, key, {
      ...run,
      shows_result,
    })
    const page_url = keeps_page ? reports.pageUrl(key) : null
    const input = { ...run, email, page_url }
    const letter = writeResultMail(mail, input, unsubscribe_url, {
      read,
      links: [...documents.links, ...(shows_result ? pageLinks(page_url) : [])],
      public_url,
    })
    const sender = await loadMailSender(db, quiz_id)
    return { to: email, letter, sender, unsubscribe_url, attachments: documents.attachments }
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
    const letter = writeNotice(run, { quiz_id, participant_uuid, public_url })
    return { to, letter, sender: { reply_to: participantAddress(run) } }
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
    const toParticipant = provider === MAIL ? writeToParticipant : writeConfirmation
    const write = provider === NOTICE ? writeToCreator : toParticipant
    const written = await write(sending, claimed, completed_calls.is_counted === true)
    if ('kind' in written) return { ...written, completed_calls }
    const { to, letter, sender, ...unsubscription } = written
    const mail = { to, ...(await renderLetter(letter, sender)) }
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
/** Returns the milliseconds until the next day (UTC), when daily limits begin anew. */
export const untilTomorrow = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS)
