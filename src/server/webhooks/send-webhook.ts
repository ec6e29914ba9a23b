import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import {
  type ErasedEvent,
  type EventResponse,
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
import {
  messageId,
  openSecrets,
  type StoredSecrets,
  writeSignedMessage,
} from './webhook-message.ts'

/** URL and signing secrets of a webhook. */
type Receiver = { url: string; secrets: StoredSecrets }
/** Event to send, with its receiver. */
export type AddressedEvent = Receiver & { event: WebhookEvent }
type Key = { quiz_id: string; participant_uuid: string; connection_id: string }

/**
 * Creates a loader of the event and the receiver of a delivery. The loader returns undefined if the participant or
 * the webhook is gone.
 */
export const createDeliveryLoader = (db: Db, pageUrl?: PageUrl) => {
  return async (key: Key): Promise<AddressedEvent | undefined> => {
    const row = await findSending(db, key)
    const snapshot = row && (await findCachedVersion(db, key.quiz_id, row.response.version))
    if (!row || !snapshot) return undefined
    const { url, secrets, response, keeps_page } = row
    const { quiz_id } = key
    const result_url = keeps_page ? pageUrl?.(key) : undefined
    return { url, secrets, event: eventOf(snapshot, { quiz_id, response, result_url }) }
  }
}

const findSending = async (
  db: Db,
  { quiz_id, participant_uuid, connection_id }: Key,
): Promise<(Receiver & { response: EventResponse; keeps_page: boolean }) | undefined> => {
  const row = await db
    .selectFrom('responses')
    .innerJoin('integration_connections as connection', 'connection.quiz_id', 'responses.quiz_id')
    .innerJoin('webhooks', 'connection_id', 'connection.id')
    .innerJoin('quizzes', 'quizzes.id', 'responses.quiz_id')
    .select(['keeps_page', 'connection.id', 'user_id', 'provider', 'key_version', 'sealed_secret'])
    .select(['url', 'sealed_previous', 'previous_until'])
    .select(['participant_uuid', 'version', 'responses.created_at', 'email', 'result_position'])
    .select(['score', 'consent_version', 'elapsed_seconds', 'choices', 'texts'])
    .select(['responses.parameters', 'dimension_percents'])
    .select(CONTACT_ROLES)
    .where('responses.quiz_id', '=', quiz_id)
    .where('participant_uuid', '=', participant_uuid)
    .where('connection.id', '=', connection_id)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, user_id, provider, key_version, sealed_secret, url } = row
  const { sealed_previous, previous_until, keeps_page, ...response } = row
  const sealed = { sealed_secret, sealed_previous, previous_until }
  return { url, secrets: { id, user_id, provider, key_version, ...sealed }, response, keeps_page }
}

/** Returns a webhook of a quiz; undefined if the webhook was removed. */
const findReceiver = async (
  db: Db,
  { quiz_id, connection_id }: Omit<Key, 'participant_uuid'>,
): Promise<Receiver | undefined> => {
  const row = await db
    .selectFrom('integration_connections')
    .innerJoin('webhooks', 'connection_id', 'id')
    .select(['id', 'user_id', 'provider', 'key_version', 'sealed_secret'])
    .select(['url', 'sealed_previous', 'previous_until'])
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', connection_id)
    .where('status', '<>', 'disconnected')
    .executeTakeFirst()
  if (!row) return undefined
  const { url, ...secrets } = row
  return { url, secrets }
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
