import { randomUUIDv7 } from 'node:crypto'
import type { api } from '#contract/api.ts'
import type { ListedWebhook } from '#contract/forwarding/webhooks.ts'
import { cutText } from '#domain/common/text.ts'
import { deliveryReason, webhookAttention } from '#domain/deliveries/delivery-labels.ts'
import { sampleEvent } from '#domain/deliveries/webhook-event.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { audit } from '#server/audit/audit.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { maskWebhookUrl } from '#server/http/edge/caller.ts'
import { type ApiError, conflict, invalid, tooMany } from '#server/http/edge/errors.ts'
import type { Handlers } from '#server/http/edge/mount.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import {
  type AddressRefusal,
  type AddressRules,
  checkHost,
  type Resolve,
  readAddress,
} from '#server/outbound-http/check-address.ts'
import type { PostOutcome, SafePost } from '#server/outbound-http/safe-post.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import { refuseDeliveriesOfEndedConnections } from './ended-connections.store.ts'
import { newSecret, openSecrets, writeSignedMessage } from './webhook-message.ts'
import {
  endWebhook,
  insertWebhook,
  listWebhooks,
  loadSecrets,
  loadWebhook,
  rotateSecret,
  type WebhookRow,
  writeWebhook,
} from './webhooks.store.ts'

const REFUSALS: Record<AddressRefusal, string> = {
  malformed: 'Saisissez une adresse complète, comme https://exemple.fr/webhook',
  not_https: 'L’adresse doit commencer par https://',
  has_credentials: 'L’adresse ne doit contenir ni identifiant ni mot de passe',
  port_refused: 'Ce port n’est pas permis : prenez 443, ou 1024 et au-delà',
  private_address: 'Cette adresse mène à un réseau privé',
  unknown_host: 'Le nom de domaine de cette adresse est introuvable',
}

/** Returns a 422 for an address to which nothing would be sent. */
const createAddressError = (reason: AddressRefusal): ApiError => invalid(REFUSALS[reason])

/** Returns the sentence about the outcome of a test. */
const describeTestResult = (posted: PostOutcome): string => {
  if (posted.kind === 'refused') return `${REFUSALS[posted.reason]}.`
  if (posted.kind === 'failed') return deliveryReason('refused', posted.code) ?? ''
  const { status } = posted
  if (status >= 200 && status < 300) return `Le test est arrivé : l’adresse a répondu ${status}.`
  if (status >= 300 && status < 400)
    return `L’adresse renvoie vers une autre (${status}) : indiquez directement la bonne.`
  return `L’adresse a répondu ${status} : le test est refusé.`
}

type Dependencies = {
  db: Db
  vault: Vault
  post: SafePost
  rules: AddressRules & { resolve: Resolve }
  wake: () => void
  has_rate_limits: boolean
}
/** Limit of DNS queries and test calls per creator. */
const CALLS = { calls: 20, per_seconds: 600, burst: 20 }
/** Maximum number of shown characters of a response. */
const MAX_SHOWN_CHARACTERS = 500

const toListedWebhook = ({
  id,
  url,
  status,
  status_reason,
  ...row
}: WebhookRow): ListedWebhook => ({
  id,
  url,
  state: status,
  message: status === 'needs_attention' ? webhookAttention(status_reason ?? '') : null,
  previous_secret_until: row.previous_until,
  created_at: row.created_at,
})

/** Returns the handlers of contract/forwarding/webhooks.ts. */
export const webhooksHandlers = ({
  db,
  vault,
  post,
  rules,
  wake,
  has_rate_limits,
}: Dependencies): Handlers<typeof api.webhooks> => {
  const bucket = createTokenBucket(CALLS)
  const limit = (creator_id: string): void => {
    const seconds = has_rate_limits ? bucket(creator_id) : 0
    if (seconds > 0) throw tooMany(seconds)
  }
  /** Returns the normalised URL. Throws a 422 if nothing would be sent there. */
  const checked = async (typed: string): Promise<string> => {
    const url = readAddress(typed, rules)
    if (typeof url === 'string') throw createAddressError(url)
    const found = await checkHost(url, rules)
    if (typeof found === 'string') throw createAddressError(found)
    return url.href
  }
  /** Returns the published version, or the draft if the quiz was never published. */
  const sampleOf = (quiz_id: string, creator_id: string) =>
    readInOneSnapshot(db, async (state) => {
      const { published_version } = await loadQuiz(state, { quiz_id, creator_id })
      const version = published_version ?? 1
      const published = published_version && (await findVersion(state, quiz_id, version))
      const snapshot = published || takeSnapshot(await loadDraft(state, { quiz_id, creator_id }))
      return sampleEvent(snapshot, { quiz_id, version, now: new Date() })
    })

  return {
    list: async ({ id: quiz_id }, creator) => {
      const owned = { quiz_id, creator_id: creator.id }
      await loadQuiz(db, owned)
      const rows = await listWebhooks(db, owned)
      return {
        webhooks: rows.map((row) =>
          toListedWebhook({ ...row, url: maskWebhookUrl(creator, row.url) }),
        ),
      }
    },

    add: async ({ id: quiz_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id }
      await loadQuiz(db, owned)
      limit(creator_id)
      const url = await checked(body.url)
      const secret = newSecret()
      const webhook_id = await insertWebhook(db, vault, { ...owned, url, secret })
      audit('webhook_added', { actor_id: creator_id, object_id: webhook_id })
      return { webhook: toListedWebhook(await loadWebhook(db, { ...owned, webhook_id })), secret }
    },

    update: async ({ id: quiz_id, webhookId: webhook_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id, webhook_id }
      await loadWebhook(db, owned)
      if (body.url !== undefined) limit(creator_id)
      const url = body.url === undefined ? undefined : await checked(body.url)
      await writeWebhook(db, owned, {
        url,
        is_paused: body.is_paused,
        replaces: body.replaces,
      })
      audit('webhook_changed', { actor_id: creator_id, object_id: webhook_id })
      wake()
      return toListedWebhook(await loadWebhook(db, owned))
    },

    remove: async ({ id: quiz_id, webhookId: webhook_id }, { id: creator_id }) => {
      await endWebhook(db, { quiz_id, creator_id, webhook_id })
      audit('webhook_removed', { actor_id: creator_id, object_id: webhook_id })
      await refuseDeliveriesOfEndedConnections(db)
      return undefined
    },

    rotate: async ({ id: quiz_id, webhookId: webhook_id }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id, webhook_id }
      const secret = newSecret()
      await rotateSecret(db, vault, { ...owned, secret })
      audit('webhook_secret_changed', { actor_id: creator_id, object_id: webhook_id })
      return { webhook: toListedWebhook(await loadWebhook(db, owned)), secret }
    },

    test: async ({ id: quiz_id, webhookId: webhook_id }, { id: creator_id }) => {
      const { url, ...stored } = await loadSecrets(db, { quiz_id, creator_id, webhook_id })
      limit(creator_id)
      const at = new Date()
      const secrets = openSecrets(vault, stored, at)
      if (secrets.length === 0)
        throw conflict('unreadable_secret', webhookAttention('unreadable_secret'))
      const event = await sampleOf(quiz_id, creator_id)
      const message = writeSignedMessage(event, { id: `msg_${randomUUIDv7()}`, at, secrets })
      const posted = await post({ address: url, ...message })
      const answered = posted.kind === 'answer' ? posted : { status: null, text: '' }
      const { status } = answered
      return {
        has_arrived: status !== null && status >= 200 && status < 300,
        message: describeTestResult(posted),
        status,
        text: readable(answered.text),
        body: message.body,
      }
    },
  }
}

/** Returns the beginning of a response for display, with control characters replaced by spaces. */
const readable = (text: string): string =>
  cutText(text, MAX_SHOWN_CHARACTERS)
    .toWellFormed()
    .replaceAll(/[^\P{C}\n\t]/gu, ' ')
    .trim()
