import type { FastifyBaseLogger } from 'fastify'
import type { api } from '#contract/api.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Vault } from '#server/integrations/vault.ts'
import { createPostGuarded } from '#server/outgoing/post-guarded.ts'
import { type Resolve, resolveHost } from '#server/outgoing/resolve.ts'
import {
  createSendErased,
  createSendWebhook,
  type SendErased,
  type SendWebhook,
} from './send-webhook.ts'
import { webhooksHandlers } from './webhooks.routes.ts'

type Needs = {
  db: Db
  config: Pick<Config, 'webhooks' | 'rate_limits'>
  vault: Vault
  log: Pick<FastifyBaseLogger, 'warn'>
  resolve?: Resolve
}

type Webhooks = {
  sendWebhook: SendWebhook
  sendErased: SendErased
  /** Handlers of contract/webhooks.ts; `wake` is called when deliveries may go on. */
  handlers: (wake: () => void) => Handlers<typeof api.webhooks>
}

/** Everything that reaches webhooks. */
export const createWebhooks = ({
  db,
  config,
  vault,
  log,
  resolve = resolveHost,
}: Needs): Webhooks => {
  const { allows_loopback } = config.webhooks
  if (allows_loopback)
    log.warn('WEBHOOKS_TO_LOOPBACK=on: webhooks may call this machine; for tests alone')
  const rules = { allows_loopback, resolve }
  const post = createPostGuarded(rules)
  const has_rate_limits = config.rate_limits
  return {
    sendWebhook: createSendWebhook({ db, vault, post }),
    sendErased: createSendErased({ db, vault, post }),
    handlers: (wake) => webhooksHandlers({ db, vault, post, rules, wake, has_rate_limits }),
  }
}
