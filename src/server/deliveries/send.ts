import type { FastifyBaseLogger } from 'fastify'
import { WEBHOOK } from '#domain/vocabulary.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import { permanent } from '#server/integrations/providers/failures.ts'
import type { DeliveryOutcome } from '#server/integrations/providers/provider.ts'
import { createWebhooks } from '#server/webhooks/create-webhooks.ts'
import type { SendWebhook } from '#server/webhooks/send-webhook.ts'
import type { Claimed } from './claim.store.ts'
import { sendDelivery, type Tools } from './send-delivery.ts'
import { createErase } from './send-erasure.ts'
import { toolsOf } from './tools.ts'

/** Brings one participant where their delivery goes; nothing is thrown for what the other side does. */
export type Send = (claimed: Claimed) => Promise<DeliveryOutcome>

/** Sends by the email tools and the webhooks. */
export const createSend =
  ({ tools, sendWebhook }: { tools: Tools; sendWebhook: SendWebhook }): Send =>
  async (claimed) => {
    const { provider, email, steps } = claimed
    if (provider === WEBHOOK) return sendWebhook(claimed)
    // Written without an address, it was settled then.
    if (email === null) return { ...permanent('invalid_email'), steps }
    return sendDelivery(tools, { ...claimed, provider, email })
  }

/** All that participants are sent by, and erased elsewhere. */
export const createSending = ({
  db,
  config,
  integrations,
  log,
}: {
  db: Db
  config: Pick<Config, 'webhooks' | 'rate_limits'>
  integrations: Integrations
  log: FastifyBaseLogger
}) => {
  const tools = toolsOf(db, integrations)
  const webhooks = createWebhooks({ db, config, vault: integrations.vault, log })
  const { vault } = integrations
  const { sendWebhook, sendErased } = webhooks
  return {
    ...{ tools, webhooks, send: createSend({ tools, sendWebhook }) },
    erase: createErase({ db, vault, tools, sendErased }),
  }
}
