import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { composeCampaignMail } from '#domain/campaigns/campaign-mail.ts'
import { campaignMailsPerDay } from '#domain/campaigns/schedule.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { publicPath } from '#domain/questionnaire/access.ts'
import type { Db } from '#server/db/database.ts'
import type { DeliveryOutcome } from '#server/integrations/providers/provider.ts'
import {
  permanent,
  rateLimited,
  transient,
} from '#server/integrations/providers/provider-requests.ts'
import { loadMailSender } from '#server/mail-senders/mail-sender.store.ts'
import { campaignLetter } from '#server/mails/campaign-letters.ts'
import { renderLetter } from '#server/mails/render-letter.ts'
import type { Transport } from '#server/mails/transport.ts'
import { countMail, hasRefused } from '#server/quiz-mails/mail-limits.store.ts'
import { smtpFailure, untilTomorrow } from '#server/quiz-mails/send-mail.ts'
import type { UnsubscribeLinks } from '#server/quiz-mails/unsubscribe.ts'
import type { TextParser } from '#server/rich-texts/text-parser.ts'
import type { InvitationLinks } from './invitation-links.ts'

/** Claimed mail of an invitation. */
type ClaimedMail = {
  quiz_id: string
  invitation_id: string
  campaign_id: string
  user_id: string
  lease_id: string
  provider: string
  step: number
  is_counted: boolean
  is_mailed: boolean
}
/** Sends a claimed mail of a campaign. Returns failures of the mail server instead of throwing. */
export type SendInvitation = (claimed: ClaimedMail) => Promise<DeliveryOutcome>

type Dependencies = {
  db: Db
  texts: Pick<TextParser, 'parse'>
  transport: Transport
  links: InvitationLinks
  unsubscribe_links: UnsubscribeLinks
  public_url: string
  /** Daily limit of mails to the participants and invited people of one creator. */
  mails_per_day: number
  now?: () => Date
}

/** Returns the Message-ID, which is the same for all attempts to send a mail of an invitation. */
const messageId = ({ invitation_id, step }: ClaimedMail, public_url: string): string => {
  const digest = createHash('sha256').update(`${invitation_id} ${step}`).digest('base64url')
  return `${digest}@${new URL(public_url).hostname}`
}

const loadMail = (db: Db, { quiz_id, invitation_id }: ClaimedMail) =>
  db
    .selectFrom('invitations')
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.quiz_id', '=', 'invitations.quiz_id')
        .onRef('campaigns.id', '=', 'invitations.campaign_id'),
    )
    .innerJoin('all_quizzes as quizzes', 'quizzes.id', 'invitations.quiz_id')
    .leftJoin('creator_settings', 'user_id', 'creator_id')
    .select(['email', 'first_name', 'last_name', 'token_hash', 'state', 'campaigns.status'])
    .select(['invitation_subject', 'invitation_text', 'reminder_subject', 'reminder_text'])
    .select(sql<boolean>`trashed_at is not null`.as('is_trashed'))
    .select(['is_anonymous', 'ends_at', 'quizzes.name as quiz_name', 'slug', 'address_form'])
    .select(sql<string>`coalesce(time_zone, ${DEFAULT_TIME_ZONE})`.as('time_zone'))
    .where('invitations.quiz_id', '=', quiz_id)
    .where('invitations.id', '=', invitation_id)
    .executeTakeFirst()

/** Records that the mail server accepted a mail, directly after its reply, so that a killed process rarely repeats it. */
const recordSentInvitation = async (
  db: Db,
  { quiz_id, invitation_id, lease_id }: ClaimedMail,
): Promise<void> => {
  await db
    .updateTable('invitations')
    .set({ is_counted: true, is_mailed: true })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', invitation_id)
    .where('lease_id', '=', lease_id)
    .execute()
}

/** Creates the function that sends invitations and reminders (docs/decisions/083). */
export const createSendInvitation = ({
  db,
  texts,
  transport,
  links,
  unsubscribe_links,
  public_url,
  mails_per_day,
  now = () => new Date(),
}: Dependencies): SendInvitation => {
  const max_creator_mails = campaignMailsPerDay(mails_per_day)

  return async (claimed) => {
    const { quiz_id, invitation_id, user_id, step, is_counted } = claimed
    const completed_calls = { is_counted }
    const delivered: DeliveryOutcome = {
      kind: 'delivered',
      vendor_contact_id: null,
      completed_calls: { is_counted: true, is_mailed: true },
    }
    // A killed process has already sent the mail.
    if (claimed.is_mailed) return delivered
    const mail = await loadMail(db, claimed)
    const isOpen =
      mail?.state === 'invited' || mail?.state === 'opened' || mail?.state === 'started'
    if (!mail || !isOpen || mail.status === 'ended')
      return { kind: 'suppressed', reason: 'cancelled', completed_calls }
    // The quiz was deleted after the claim; the mail waits for its restoration.
    if (mail.is_trashed) return { ...transient('switched_off'), completed_calls }
    const { email, token_hash, quiz_name: name, slug, address_form, is_anonymous } = mail
    if (await hasRefused(db, { user_id, email }))
      return { kind: 'suppressed', reason: 'unsubscribed', completed_calls }
    const token = await links.find({ invitation_id, token_hash })
    if (token === undefined) return { ...permanent('unreadable_link'), completed_calls }
    const counted = { email, quiz_id, user_id, now: now(), max_creator_mails }
    const reachedLimit = is_counted ? undefined : await countMail(db, counted)
    const wait_ms = untilTomorrow(now())
    if (reachedLimit === 'creator')
      return { ...rateLimited(wait_ms), code: 'mails_of_today', completed_calls }
    if (reachedLimit === 'mailbox')
      return { ...transient('enough_mails'), wait_ms, completed_calls }
    const answer_url = links.addressOf(publicPath({ id: quiz_id, slug }), token)
    const job = { kind: 'mail', owner: user_id } as const
    const text = step === 0 ? mail.invitation_text : mail.reminder_text
    const parsed = await texts.parse(text, job)
    const person = { ...mail, link: answer_url, now: now() }
    const { subject, body } = composeCampaignMail(mail, step, person, () => parsed)
    const letter = campaignLetter({
      subject,
      body,
      quiz: { name, address_form },
      is_anonymous,
      link: { answer_url, refusal_url: `${answer_url}/refus` },
    })
    const unsubscribe_url = unsubscribe_links.write({ user_id, email })
    const content = await renderLetter(letter, await loadMailSender(db, quiz_id))
    try {
      const message_id = messageId(claimed, public_url)
      await transport.send({ to: email, ...content, unsubscribe_url, message_id })
    } catch (error) {
      return { ...smtpFailure(error), completed_calls: { is_counted: true } }
    }
    // The settlement may still succeed if this statement fails.
    await recordSentInvitation(db, claimed).catch(() => undefined)
    return delivered
  }
}
