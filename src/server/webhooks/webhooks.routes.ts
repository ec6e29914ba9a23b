import type { api } from '#contract/api.ts'
import type { ListedWebhook } from '#contract/webhooks.ts'
import { cutText } from '#domain/cut-text.ts'
import { webhookAttention } from '#domain/delivery-words.ts'
import { takeSnapshot } from '#domain/snapshot.ts'
import { sampleEvent } from '#domain/webhook-event.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { addressFor } from '#server/http/callers.ts'
import { conflict, tooMany } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { createBucket } from '#server/http/throttle.ts'
import type { Vault } from '#server/integrations/vault.ts'
import { type AddressRules, checkHost, readAddress } from '#server/outgoing/check-address.ts'
import type { PostGuarded } from '#server/outgoing/post-guarded.ts'
import type { Resolve } from '#server/outgoing/resolve.ts'
import { loadDraft, readTogether } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { uuidv7 } from '#server/uuid.ts'
import { refuseForEnded } from './ended-connections.store.ts'
import { openSecrets } from './secrets.ts'
import { addressRefused, testSentence } from './sentences.ts'
import { newSecret, signedHeaders } from './webhook-message.ts'
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

type Needs = {
  db: Db
  vault: Vault
  post: PostGuarded
  rules: AddressRules & { resolve: Resolve }
  wake: () => void
  has_rate_limits: boolean
}
/** Names are asked for, and addresses called, on behalf of one creator. */
const CALLS = { calls: 20, per_seconds: 600, burst: 20 }
/** Of an answer that is shown. */
const SHOWN = 500

const listed = ({ id, url, status, status_reason, ...row }: WebhookRow): ListedWebhook => ({
  id,
  url,
  state: status,
  message: status === 'needs_attention' ? webhookAttention(status_reason ?? '') : null,
  previous_secret_until: row.previous_until,
  created_at: row.created_at,
})

/** Handlers of contract/webhooks.ts. */
export const webhooksHandlers = ({
  db,
  vault,
  post,
  rules,
  wake,
  has_rate_limits,
}: Needs): Handlers<typeof api.webhooks> => {
  const bucket = createBucket(CALLS)
  const limit = (creator_id: string): void => {
    const seconds = has_rate_limits ? bucket(creator_id) : 0
    if (seconds > 0) throw tooMany(seconds)
  }
  /** The address in one spelling; 422 when nothing would be sent there. */
  const checked = async (typed: string): Promise<string> => {
    const url = readAddress(typed, rules)
    if (typeof url === 'string') throw addressRefused(url)
    const found = await checkHost(url, rules)
    if (typeof found === 'string') throw addressRefused(found)
    return url.href
  }
  /** What a visitor would take now: the published version, or the draft of a quiz that never was. */
  const sampleOf = (quiz_id: string, creator_id: string) =>
    readTogether(db, async (state) => {
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
        webhooks: rows.map((row) => listed({ ...row, url: addressFor(creator, row.url) })),
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
      return { webhook: listed(await loadWebhook(db, { ...owned, webhook_id })), secret }
    },

    update: async ({ id: quiz_id, webhookId: webhook_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id, webhook_id }
      await loadWebhook(db, owned)
      if (body.url !== undefined) limit(creator_id)
      const url = body.url === undefined ? undefined : await checked(body.url)
      await writeWebhook(db, owned, { url, is_paused: body.is_paused })
      audit('webhook_changed', { actor_id: creator_id, object_id: webhook_id })
      wake()
      return listed(await loadWebhook(db, owned))
    },

    remove: async ({ id: quiz_id, webhookId: webhook_id }, { id: creator_id }) => {
      await endWebhook(db, { quiz_id, creator_id, webhook_id })
      audit('webhook_removed', { actor_id: creator_id, object_id: webhook_id })
      await refuseForEnded(db)
      return undefined
    },

    rotate: async ({ id: quiz_id, webhookId: webhook_id }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id, webhook_id }
      const secret = newSecret()
      await rotateSecret(db, vault, { ...owned, secret })
      audit('webhook_secret_changed', { actor_id: creator_id, object_id: webhook_id })
      return { webhook: listed(await loadWebhook(db, owned)), secret }
    },

    test: async ({ id: quiz_id, webhookId: webhook_id }, { id: creator_id }) => {
      const { url, ...stored } = await loadSecrets(db, { quiz_id, creator_id, webhook_id })
      limit(creator_id)
      const at = new Date()
      const secrets = openSecrets(vault, stored, at)
      if (secrets.length === 0)
        throw conflict('unreadable_secret', webhookAttention('unreadable_secret'))
      const body = JSON.stringify(await sampleOf(quiz_id, creator_id))
      const headers = signedHeaders(body, { id: `msg_${uuidv7()}`, at, secrets })
      const posted = await post({ address: url, headers, body })
      const answered = posted.kind === 'answer' ? posted : { status: null, text: '' }
      const { status } = answered
      return {
        has_arrived: status !== null && status >= 200 && status < 300,
        message: testSentence(posted),
        status,
        text: readable(answered.text),
        body,
      }
    },
  }
}

/** The beginning of an answer as it may be shown: a character that is no text is a space. */
const readable = (text: string): string =>
  cutText(text, SHOWN)
    .toWellFormed()
    .replaceAll(/[^\P{C}\n\t]/gu, ' ')
    .trim()
