import type { FastifyBaseLogger } from 'fastify'
import { accountCountry } from '#domain/common/phone-countries.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { isTool, WEBHOOK } from '#domain/common/vocabulary.ts'
import { createCampaigns } from '#server/campaigns/create-campaigns.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import type { DeliveryOutcome } from '#server/integrations/providers/provider.ts'
import { permanent } from '#server/integrations/providers/provider-requests.ts'
import { loadToolSettings } from '#server/integrations/switches.store.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { createQuizMails } from '#server/quiz-mails/create-quiz-mails.ts'
import type { SendMail } from '#server/quiz-mails/send-mail.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import type { PageUrl } from '#server/reports/report-links.ts'
import { createWebhooks } from '#server/webhooks/create-webhooks.ts'
import type { SendWebhook } from '#server/webhooks/send-webhook.ts'
import type { ClaimedDelivery } from './claim-deliveries.store.ts'
import { createLoadNewerRuns, createLoadParticipantData } from './participant-data.store.ts'
import { sendDelivery, type Tools } from './send-delivery.ts'
import { createSendErasure } from './send-erasure.ts'

/** Interval between two checks of an attribute at Brevo, which never reports a deleted attribute (product 11.7). */
const ATTRIBUTE_CHECK_INTERVAL_MS = 24 * 3_600_000

/** Creates the dependencies of the worker on the integrations. */
export const createTools = (
  db: Db,
  {
    providers,
    openConnection,
    provisionQuiz,
    pageUrl,
  }: Pick<Integrations, 'providers' | 'openConnection' | 'provisionQuiz'> & { pageUrl?: PageUrl },
  now = () => new Date(),
): Tools => {
  return {
    providers,
    open: openConnection,
    now,
    targetOf: async (quiz_id, provider) => {
      const found = await loadToolSettings(db, { quiz_id, provider })
      const { field_key = null, provisioned_at = null, rules = [], mappings = [] } = found ?? {}
      const tag_by_result = found?.tag_by_result ?? false
      const sends_parameters = found?.sends_parameters ?? false
      const parameter_fields = found?.parameter_fields ?? {}
      const age_ms = now().getTime() - Date.parse(provisioned_at ?? '')
      const is_stale = provider === 'brevo' && age_ms > ATTRIBUTE_CHECK_INTERVAL_MS
      const fields = { field_key, sends_parameters, parameter_fields, mappings }
      const country = accountCountry(found?.country, found?.time_zone ?? DEFAULT_TIME_ZONE)
      return { ...fields, tag_by_result, is_stale, rules, country }
    },
    loadParticipantData: createLoadParticipantData(db, pageUrl),
    loadNewerRuns: createLoadNewerRuns(db, pageUrl),
    provision: async (quiz_id, { provider, isLate }, { parameters, needs_result }) => {
      const key = { quiz_id, provider }
      const before = await loadToolSettings(db, key)
      // The check covers all known parameters, because one date is stored for all fields.
      const names = new Set([...Object.keys(before?.parameter_fields ?? {}), ...parameters])
      return provisionQuiz(key, { parameters: [...names], needs_result, isLate })
    },
  }
}

/** Sends one delivery over its channel. Returns network failures instead of throwing. */
export type Send = (claimed: ClaimedDelivery) => Promise<DeliveryOutcome>

/** Creates the function that sends a delivery to an email tool, a webhook or a mailbox. */
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
    // Deliveries to tools without an address are already settled when they are inserted.
    if (email === null) return { ...permanent('invalid_email'), completed_calls }
    return sendDelivery(tools, { ...claimed, provider, email })
  }

/** Creates the senders of deliveries, erasures and mails of campaigns with their dependencies. */
export const createSenders = ({
  db,
  config,
  integrations,
  secretKey,
  compiled,
  reports,
  log,
}: {
  db: Db
  config: Config
  secretKey: string | Uint8Array
  integrations: Integrations
  compiled: CompiledVersions
  reports: Reports
  log: FastifyBaseLogger
}) => {
  const { pageUrl } = reports
  const tools = createTools(db, { ...integrations, pageUrl })
  const webhooks = createWebhooks({ db, config, vault: integrations.vault, log, pageUrl })
  const mails = createQuizMails({ db, config, secretKey, compiled, reports })
  const campaigns = createCampaigns({ db, config, secretKey, compiled, mails })
  const { vault } = integrations
  const { sendWebhook, sendErased } = webhooks
  return {
    tools,
    webhooks,
    mails,
    campaigns,
    has_mail: mails.transport !== undefined,
    send: createSend({ tools, sendWebhook, sendMail: mails.sendMail }),
    erase: createSendErasure({ db, vault, tools, sendErased }),
  }
}
