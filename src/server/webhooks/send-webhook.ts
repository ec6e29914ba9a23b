import {
  type ErasedEvent,
  erasedEventOf,
  eventOf,
  PERSON_ERASED,
  RESPONSE_CREATED,
  type WebhookEvent,
} from '#domain/deliveries/webhook-event.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type {
  CredentialCode,
  DeliveryOutcome,
  ErasureOutcome,
  Failure,
} from '#server/integrations/providers/provider.ts'
import {
  credential,
  rateLimited,
  transient,
  unknown,
} from '#server/integrations/providers/provider-requests.ts'
import type { PostOutcome, SafePost } from '#server/outbound-http/safe-post.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import type { PageUrl } from '#server/reports/report-links.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import { type DeliveryKey, findReceiver, findSending, type Receiver } from './receivers.store.ts'
import { messageId, openSecrets, writeSignedMessage } from './webhook-message.ts'
/** Event to send, with its receiver. */
export type AddressedEvent = Receiver & { event: WebhookEvent }

/**
 * Creates a loader of the event and the receiver of a delivery. The loader returns undefined if the participant or
 * the webhook is gone.
 */
export const createDeliveryLoader = (db: Db, pageUrl?: PageUrl) => {
  return async (key: DeliveryKey): Promise<AddressedEvent | undefined> => {
    const row = await findSending(db, key)
    const snapshot = row && (await findCachedVersion(db, key.quiz_id, row.response.version))
    if (!row || !snapshot) return undefined
    const { url, secrets, response, keeps_page } = row
    const { quiz_id } = key
    const result_url = keeps_page ? pageUrl?.(key) : undefined
    return { url, secrets, event: eventOf(snapshot, { quiz_id, response, result_url }) }
  }
}

/** Claimed delivery to a webhook. */
type ClaimedWebhookDelivery = {
  quiz_id: string
  participant_uuid: string
  connection_id: string
  attempts: number
  /** True if the attempt is a probe of a blocked webhook. */
  is_probe: boolean
  completed_calls: CompletedCalls
}
/** Sends a claimed delivery to its webhook. */
export type SendWebhook = (claimed: ClaimedWebhookDelivery) => Promise<DeliveryOutcome>

/** Notice of an erasure for a webhook that received the participant. */
type ClaimedWebhookErasure = Omit<ClaimedWebhookDelivery, 'completed_calls'> & { erased_at: string }
/** Notifies a webhook of an erased participant. */
export type SendErasureNotice = (erased: ClaimedWebhookErasure) => Promise<ErasureOutcome>

type Dependencies = { vault: Vault; post: SafePost; now?: () => Date }
type Message = Pick<ClaimedWebhookDelivery, 'attempts' | 'is_probe'> & {
  id: string
  event: WebhookEvent | ErasedEvent
}
/** Posts an event, signed with the secrets of the receiver. Returns the failure, or undefined on success. */
type PostSigned = (to: Receiver, message: Message) => Promise<Failure | undefined>

const createPostSigned =
  ({ vault, post, now = () => new Date() }: Dependencies): PostSigned =>
  async (to, { id, event, ...attempt }) => {
    const at = now()
    const secrets = openSecrets(vault, to.secrets, at)
    if (secrets.length === 0) return credential('unreadable_secret')
    const message = writeSignedMessage(event, { id, at, secrets })
    return failureOf(await post({ address: to.url, ...message }), attempt)
  }

/**
 * Creates the function that sends signed participants to webhooks (docs/decisions/041). Returns failures of receivers
 * instead of throwing.
 */
export const createSendWebhook = ({
  db,
  pageUrl,
  ...deps
}: Dependencies & { db: Db; pageUrl?: PageUrl | undefined }): SendWebhook => {
  const loadSending = createDeliveryLoader(db, pageUrl)
  const postSigned = createPostSigned(deps)
  return async ({ quiz_id, participant_uuid, connection_id, completed_calls, ...attempt }) => {
    const sending = await loadSending({ quiz_id, participant_uuid, connection_id })
    // The webhook or the participant was removed after the claim; the hourly maintenance settles
    // the delivery.
    if (!sending) return { ...transient('removed'), completed_calls }
    const { event } = sending
    const id = messageId(RESPONSE_CREATED, quiz_id, participant_uuid, connection_id)
    const failure = await postSigned(sending, { id, event, ...attempt })
    return failure
      ? { ...failure, completed_calls }
      : { kind: 'delivered', vendor_contact_id: null, completed_calls }
  }
}

/** Creates the function that notifies webhooks of erased participants (docs/decisions/046). */
export const createSendErasureNotice = ({
  db,
  ...deps
}: Dependencies & { db: Db }): SendErasureNotice => {
  const postSigned = createPostSigned(deps)
  return async ({ attempts, is_probe, ...erased }) => {
    const { quiz_id, participant_uuid, connection_id } = erased
    const receiver = await findReceiver(db, { quiz_id, connection_id })
    if (!receiver) return transient('removed')
    const id = messageId(PERSON_ERASED, quiz_id, participant_uuid, connection_id)
    const event = erasedEventOf(erased)
    const failure = await postSigned(receiver, { id, event, attempts, is_probe })
    return failure ?? { kind: 'erased', code: 'notified' }
  }
}

/**
 * Number of attempts after which a refusal blocks the webhook, because a restarting receiver may refuse for a moment.
 */
const MIN_ATTEMPTS_BEFORE_BLOCK = 2

/** Converts a response to a failure; returns undefined for a success. */
const failureOf = (
  posted: PostOutcome,
  { attempts, is_probe }: Pick<ClaimedWebhookDelivery, 'attempts' | 'is_probe'>,
): Failure | undefined => {
  const toMend = (code: CredentialCode): Failure =>
    attempts < MIN_ATTEMPTS_BEFORE_BLOCK && !is_probe ? transient(code) : credential(code)
  if (posted.kind === 'failed') return transient(posted.code)
  if (posted.kind === 'refused')
    return posted.reason === 'unknown_host' ? transient('unknown_host') : toMend('private_address')
  const { status, retry_after } = posted
  if (status >= 200 && status < 300) return undefined
  if (status === 410) return credential('gone')
  if (status === 404 || status === 405) return toMend('gone')
  if (status === 401 || status === 402 || status === 403) return toMend('denied')
  if (status >= 300 && status < 400) return toMend('redirected')
  const wait_ms = waitOf(retry_after)
  if (status === 429) return rateLimited(wait_ms ?? 5_000)
  if (status === 408 || status === 425 || status >= 500)
    return { ...transient(`http_${status}`), ...(wait_ms !== undefined && { wait_ms }) }
  return unknown(`http_${status}`)
}

/** Converts `Retry-After` (seconds or a date) to milliseconds. */
const waitOf = (retry_after: string | undefined): number | undefined => {
  if (retry_after === undefined) return undefined
  const seconds = Number(retry_after)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(retry_after) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
