import type { FastifyBaseLogger } from 'fastify'
import type { api } from '#contract/api.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Handlers } from '#server/http/edge/mount.ts'
import { type Resolve, resolveHost } from '#server/outbound-http/check-address.ts'
import { createSafePost } from '#server/outbound-http/safe-post.ts'
import type { PageUrl } from '#server/reports/report-links.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import {
  createSendErasureNotice,
  createSendWebhook,
  type SendErasureNotice,
  type SendWebhook,
} from './send-webhook.ts'
import { webhooksHandlers } from './webhooks.routes.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'webhooks' | 'rate_limits'>
  vault: Vault
  log: Pick<FastifyBaseLogger, 'warn'>
  resolve?: Resolve
  /** Returns the address of the page of a participant; absent if the caller has no pages. */
  pageUrl?: PageUrl
}

type Webhooks = {
  sendWebhook: SendWebhook
  sendErased: SendErasureNotice
  /** Returns the handlers of contract/forwarding/webhooks.ts. The handlers call `wake` when deliveries may continue. */
  handlers: (wake: () => void) => Handlers<typeof api.webhooks>
}

/** Creates the functions that send to webhooks, and the handlers of their routes. */
export const createWebhooks = ({
  db,
  config,
  vault,
  log,
  resolve = resolveHost,
  pageUrl,
}: Dependencies): Webhooks => {
  const { allows_loopback } = config.webhooks
  if (allows_loopback)
    log.warn('WEBHOOKS_TO_LOOPBACK=on: webhooks may call this machine; for tests alone')
  const rules = { allows_loopback, resolve }
  const post = createSafePost(rules)
  const has_rate_limits = config.rate_limits
  return {
    sendWebhook: createSendWebhook({ db, vault, post, pageUrl }),
    sendErased: createSendErasureNotice({ db, vault, post }),
    handlers: (wake) => webhooksHandlers({ db, vault, post, rules, wake, has_rate_limits }),
  }
}
