import type { FastifyBaseLogger } from 'fastify'
import { isTool, WEBHOOK } from '#domain/vocabulary.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import { permanent } from '#server/integrations/providers/failures.ts'
import type { DeliveryOutcome } from '#server/integrations/providers/provider.ts'
import { createQuizMails } from '#server/quiz-mails/create-quiz-mails.ts'
import type { SendMail } from '#server/quiz-mails/send-mail.ts'
import { createWebhooks } from '#server/webhooks/create-webhooks.ts'
import type { SendWebhook } from '#server/webhooks/send-webhook.ts'
import type { Claimed } from './claim.store.ts'
import { sendDelivery, type Tools } from './send-delivery.ts'
import { createErase } from './send-erasure.ts'
import { toolsOf } from './tools.ts'

/** Brings one participant where their delivery goes; nothing is thrown for what the other side does. */
export type Send = (claimed: Claimed) => Promise<DeliveryOutcome>

/** Sends by the email tools, the webhooks and the mails of the quizzes. */
export const createSend =
  ({
    tools,
    sendWebhook,
    sendMail,
  }: {
    tools: Tools
    sendWebhook: SendWebhook
    sendMail: SendMail
  }): Send =>
  async (claimed) => {
    const { provider, email, completed_calls } = claimed
    if (provider === WEBHOOK) return sendWebhook(claimed)
    if (!isTool(provider)) return sendMail(claimed)
    // Written without an address, it was settled then.
    if (email === null) return { ...permanent('invalid_email'), completed_calls }
    return sendDelivery(tools, { ...claimed, provider, email })
  }

/** All that participants are sent by, and erased elsewhere. */
export const createSending = ({
  db,
  config,
  integrations,
  secretKey,
  log,
}: {
  db: Db
  config: Config
  secretKey: string | Uint8Array
  integrations: Integrations
  log: FastifyBaseLogger
}) => {
  const tools = toolsOf(db, integrations)
  const webhooks = createWebhooks({ db, config, vault: integrations.vault, log })
  const mails = createQuizMails({ db, config, secretKey })
  const { vault } = integrations
  const { sendWebhook, sendErased } = webhooks
  return {
    ...{ tools, webhooks, mails, has_mail: mails.transport !== undefined },
    send: createSend({ tools, sendWebhook, sendMail: mails.sendMail }),
    erase: createErase({ db, vault, tools, sendErased }),
  }
}
