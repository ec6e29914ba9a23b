import { createHash } from 'node:crypto'
import { canonicalEmail } from '#domain/mailbox.ts'
import { type ChannelName, MAIL } from '#domain/vocabulary.ts'
import { findAddress } from '#server/auth/creator-address.store.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls } from '#server/db/outbox-tables.ts'
import { permanent, rateLimited, transient } from '#server/integrations/providers/failures.ts'
import type { DeliveryOutcome, Failure } from '#server/integrations/providers/provider.ts'
import { htmlOf, type Letter, textOf } from '#server/mails/frame.ts'
import { noticeLetter } from '#server/mails/quiz-letters.ts'
import type { Transport } from '#server/mails/transport.ts'
import { countMail, countNotice } from './mail-limits.store.ts'
import { hasRefused } from './refusals.store.ts'
import {
  createMailSendings,
  type MailSending,
  noteMailed,
  type SendingKey,
} from './sending.store.ts'
import { smtpFailure } from './smtp-failure.ts'
import type { UnsubscribeLinks } from './unsubscribe-link.ts'
import { writeResult } from './write-result.ts'

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
 * Sends the two mails of a quiz (docs/decisions/044): to participants their result, to creators who came. Nothing is thrown
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
  const loadSending = createMailSendings(db)

  const writeToParticipant = async (
    { user_id, mail, ...run }: MailSending,
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
    const letter = writeResult(mail, { ...run, email }, unsubscribe_url)
    return { to: email, letter, unsubscribe_url }
  }

  const writeNotice = async (
    { user_id, snapshot, result, email, consent_version }: MailSending,
    { quiz_id, participant_uuid }: Claimed,
    isCounted: boolean,
  ): Promise<Written | Refused> => {
    const to = await findAddress(db, user_id)
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
    const mail = { to, subject: letter.subject, html: htmlOf(letter), text: textOf(letter) }
    const message_id = messageId(claimed, public_url)
    try {
      await transport.send({ ...mail, ...ways_out, message_id })
    } catch (error) {
      return { ...smtpFailure(error), completed_calls: { ...completed_calls, is_counted: true } }
    }
    // Where this fails, the settlement may still be written.
    await noteMailed(db, claimed).catch(() => undefined)
    return {
      ...{ kind: 'delivered', vendor_contact_id: null },
      completed_calls: { ...completed_calls, is_counted: true, is_mailed: true },
    }
  }
}

const DAY_MS = 86_400_000
const untilTomorrow = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS)
