import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import type { Tracing } from '#server/http/observability/tracing.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import type { UnsubscribeLinks } from '#server/quiz-mails/unsubscribe.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { deliveriesHandlers } from './deliveries.routes.ts'
import { runOutbox } from './run-outbox.ts'
import { createSenders } from './send.ts'
import type { Tools } from './send-delivery.ts'

type Dependencies = {
  database: Database
  config: Config
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
  integrations: Integrations
  compiled: CompiledVersions
  reports: Reports
  tracing: Tracing | undefined
}

/** Tools and worker of this process, for other features. */
export type Deliveries = {
  tools: Tools
  /** Makes the worker of this process search for due deliveries. Does nothing if another process delivers. */
  wake: () => void
  /** Links with which people refuse the mails of a creator. */
  unsubscribe_links: UnsubscribeLinks
}

/**
 * Mounts the routes of deliveries, webhooks, quiz mails and campaigns, which wake the worker after a change. Runs the worker in
 * this process until the server closes, unless WORKER is off.
 */
export const registerDeliveries = (
  app: FastifyInstance,
  { database, config, secretKey, log, integrations, compiled, reports, tracing }: Dependencies,
): Deliveries => {
  const { db } = database
  const senders = createSenders({ db, config, secretKey, log, integrations, compiled, reports })
  const { tools, webhooks, mails, campaigns, has_mail, send, erase } = senders
  const outbox = config.is_worker
    ? runOutbox(database, { send, erase, campaigns, log, tracing })
    : undefined
  app.addHook('onClose', () => outbox?.close())
  const wake = (): void => outbox?.wake()
  mount(app, api.deliveries, deliveriesHandlers({ db, tools, wake, has_mail }))
  mount(app, api.webhooks, webhooks.handlers(wake))
  mails.mount(app, { wake })
  campaigns.mount(app, { wake })
  return { tools, wake, unsubscribe_links: mails.links }
}
