import type { DestinationPreview } from '#contract/forwarding/trial-runs.ts'
import { isMailable } from '#domain/common/addresses.ts'
import {
  CONFIRMATION,
  isTool,
  MAIL,
  type NOTICE,
  type ProviderName,
  WEBHOOK,
} from '#domain/common/vocabulary.ts'
import type { fieldNameOf } from '#domain/deliveries/integrations.ts'
import type { QuizMail } from '#domain/deliveries/quiz-mail.ts'
import {
  describeSendingProblem,
  fieldsToCreate,
  NO_ADDRESS_TO_TELL,
  NO_RESULT_TO_MAIL,
  toolNotEnabled,
  UNREACHABLE_ADDRESS,
} from '#domain/deliveries/trial-run-labels.ts'
import { type EventResponse, eventOf, RESPONSE_CREATED } from '#domain/deliveries/webhook-event.ts'
import type { Letter, MailSender } from '#domain/mail-letters/letter.ts'
import { renderLetterText } from '#domain/mail-letters/letter-plain.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { confirmationLetter } from '#server/confirmations/confirmation-letter.ts'
import { previewContact } from '#server/deliveries/preview-contact.ts'
import type { Tools } from '#server/deliveries/send-delivery.ts'
import { recordDelivery } from '#server/integrations/providers/record-delivery.ts'
import {
  participantAddress,
  writeNotice,
  writeResultMail,
} from '#server/quiz-mails/write-quiz-mail.ts'
import type { ReadText } from '#server/rich-texts/text-parser.ts'
import { messageId, writeMessage } from '#server/webhooks/webhook-message.ts'
import type { TrialDestination } from './trial-runs.store.ts'

/** Data of the mails of a quiz in addition to the run. */
type MailPreviewDependencies = {
  /** Texts of the creator for participants. */
  words: QuizMail
  creator_email: string | null
  /** Sender of the mails to participants, as it is now. */
  sender: MailSender
  /** Consent text that the run accepted; null if none was. */
  consent_text: string | null
  /** Returns the parsed form of a text of the version or of the mail. */
  read: ReadText
  public_url: string
}

type FieldNames = Parameters<typeof fieldNameOf>[1]

/** Trial run in the form of a stored response with the same answers. */
export type TrialResponse = {
  quiz_id: string
  snapshot: Snapshot
  response: EventResponse
  field_names: FieldNames
  mails: MailPreviewDependencies
}

/** Text in place of the links of an address, because a real link would unsubscribe it. */
const LINK_PLACEHOLDER = '(le lien propre à cette adresse)'

const mailPreview = (
  to: string,
  letter: Letter,
  sender?: MailSender,
): Pick<DestinationPreview, 'message' | 'mail'> => ({
  message: null,
  mail: { to, subject: letter.subject, text: renderLetterText(letter, sender) },
})
const withoutPayload = (message: string): Pick<DestinationPreview, 'message' | 'mail'> => ({
  message,
  mail: null,
})

/** Returns the mail of the quiz for a run, or the reason why no mail would be sent. */
const previewMail = (
  { quiz_id, snapshot, response, mails }: TrialResponse,
  channel: typeof MAIL | typeof NOTICE | typeof CONFIRMATION,
  is_mailed: boolean,
): Pick<DestinationPreview, 'message' | 'mail'> => {
  const { email, result_position, consent_version, participant_uuid } = response
  const { words, creator_email, sender, consent_text, public_url, read } = mails
  const result = snapshot.results[result_position ?? -1] ?? null
  if (channel === CONFIRMATION) {
    if (email === null || !isMailable(email)) return withoutPayload(UNREACHABLE_ADDRESS)
    const sender_name = sender.from_name ?? null
    const facts = { quiz: snapshot.quiz, email, sender_name, consent_text, is_mailed }
    const links = { url: LINK_PLACEHOLDER, unsubscribe_url: LINK_PLACEHOLDER }
    return mailPreview(
      email,
      confirmationLetter({ ...facts, ...links, is_reminder: false }),
      sender,
    )
  }
  if (channel === MAIL) {
    if (email === null || !isMailable(email)) return withoutPayload(UNREACHABLE_ADDRESS)
    if (snapshot.quiz.type === 'quiz' && !result) return withoutPayload(NO_RESULT_TO_MAIL)
    const run = { snapshot, replies: unpackReplies(snapshot, response), result, email }
    return mailPreview(
      email,
      writeResultMail(words, run, LINK_PLACEHOLDER, { read, public_url }),
      sender,
    )
  }
  if (creator_email === null) return withoutPayload(NO_ADDRESS_TO_TELL)
  const run = { snapshot, result, email, consent_version }
  const notice = writeNotice(run, { quiz_id, participant_uuid, public_url })
  return mailPreview(creator_email, notice, { reply_to: participantAddress(run) })
}

type Requests = DestinationPreview['requests']
type PreviewTools = Pick<Tools, 'providers' | 'targetOf'>

/** Returns the call to a webhook, with the time of the run as its timestamp. */
const previewWebhookRequests = (
  { quiz_id, snapshot, response }: TrialResponse,
  { connection_id, url }: TrialDestination,
): Requests => {
  const id = messageId(RESPONSE_CREATED, quiz_id, response.participant_uuid, connection_id)
  const event = eventOf(snapshot, { quiz_id, response })
  const message = writeMessage(event, { id, at: new Date(response.created_at) })
  return [{ method: 'POST', address: url ?? '', ...message }]
}

/** Returns the calls that would send the contact to a tool, with a note about preparatory calls. */
const previewToolRequests = async (
  tools: PreviewTools,
  { quiz_id, ...run }: TrialResponse,
  { provider, ...account }: { provider: ProviderName } & Parameters<typeof recordDelivery>[1],
): Promise<{ requests: Requests; note: string | null }> => {
  const target = await tools.targetOf(quiz_id, provider)
  const { contact, missing_fields } = previewContact(target, run, provider)
  const calls = await recordDelivery(tools.providers[provider], account, contact)
  return {
    note: missing_fields.length > 0 ? fieldsToCreate(provider, missing_fields) : null,
    requests: calls.map(({ path, ...call }) => ({ ...call, address: path, headers: {} })),
  }
}

/** Returns the calls and mails that each destination would have received for a trial run, or the reason for none. */
export const previewPayloads = async (
  tools: PreviewTools,
  trial: TrialResponse,
  {
    destinations,
    connected,
  }: {
    destinations: readonly TrialDestination[]
    connected: { provider: ProviderName; connection_id: string }[]
  },
): Promise<DestinationPreview[]> => {
  const is_mailed = destinations.some(({ provider }) => provider === MAIL)
  const active = await Promise.all(
    destinations.map(async (destination): Promise<DestinationPreview> => {
      const { provider, connection_id, user_id, vendor_account_id, url, status } = destination
      const why = describeSendingProblem(destination, trial.response.consent_version)
      const at = { provider, connection_id, url, mail: null }
      if (status === 'no_email' || status === 'no_consent')
        return { ...at, message: why, requests: [] }
      if (provider === WEBHOOK)
        return { ...at, message: why, requests: previewWebhookRequests(trial, destination) }
      if (!isTool(provider)) {
        const preview = previewMail(trial, provider, is_mailed)
        return { ...at, requests: [], ...preview, message: preview.message ?? why }
      }
      const { requests, note } = await previewToolRequests(tools, trial, {
        provider,
        id: connection_id,
        user_id,
        vendor_account_id,
      })
      return { ...at, message: why ?? note, requests }
    }),
  )
  const inactive = connected
    .filter(({ provider }) =>
      destinations.every((destination) => destination.provider !== provider),
    )
    .map(({ provider, connection_id }): DestinationPreview => {
      const message = toolNotEnabled(provider)
      return { provider, connection_id, url: null, message, mail: null, requests: [] }
    })
  return [...active, ...inactive]
}
