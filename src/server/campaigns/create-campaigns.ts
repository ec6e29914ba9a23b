import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import { loadFormerKeys } from '#server/auth/sessions/signing-keys.store.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import type { Transport } from '#server/mails/transport.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import type { UnsubscribeLinks } from '#server/quiz-mails/unsubscribe.ts'
import { RESPONSES_CHANNEL } from '#server/responses/response-events.ts'
import { type CampaignNeeds, campaignsHandlers } from './campaigns.routes.ts'
import { endDueCampaigns } from './end-campaigns.store.ts'
import { createInvitationLinks } from './invitation-links.ts'
import { createSendInvitation, type SendInvitation } from './send-invitation.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'public_url' | 'rate_limits' | 'result_mails_per_day'>
  secretKey: string | Uint8Array
  compiled: Pick<CompiledVersions, 'texts'>
  /** Mail server and unsubscribe links of quiz mails. */
  mails: { transport: Transport | undefined; links: UnsubscribeLinks }
  now?: () => Date
}

/** Work and calls of campaigns. */
export type Campaigns = {
  /** Sends a mail of a campaign; undefined without a mail server. */
  invite: SendInvitation | undefined
  /** Ends the campaigns whose end has passed. */
  endDue: (now: Date) => Promise<void>
  /** Mounts the calls of creators. */
  mount: (app: FastifyInstance, deps: Pick<CampaignNeeds, 'wake'>) => void
}

/** Creates the sending, the end and the calls of campaigns (docs/decisions/083). */
export const createCampaigns = ({
  db,
  config,
  secretKey,
  compiled,
  mails,
  now,
}: Dependencies): Campaigns => {
  const { public_url, rate_limits: has_rate_limits, result_mails_per_day: mails_per_day } = config
  const { texts } = compiled
  const { transport } = mails
  const links = createInvitationLinks(secretKey, public_url, (purpose) =>
    loadFormerKeys(db, secretKey, purpose),
  )
  /** Tells the statistics screens of every process that participants were stored. */
  const announce = async (quiz_ids: readonly string[]): Promise<void> => {
    await sql`select pg_notify(${RESPONSES_CHANNEL}, id) from unnest(${[...quiz_ids]}::text[]) as id`.execute(
      db,
    )
  }
  const sending = { db, texts, links, unsubscribe_links: mails.links, public_url, mails_per_day }
  return {
    invite: transport && createSendInvitation({ ...sending, transport, ...(now && { now }) }),
    endDue: async (now) => {
      const { quiz_ids, errors } = await endDueCampaigns(db, now, secretKey)
      await announce(quiz_ids)
      if (errors.length > 0) throw new AggregateError(errors, 'campaigns were not ended')
    },
    mount: (app, { wake }) => {
      const needs = { db, secretKey, transport, links, texts, public_url, mails_per_day }
      mount(app, api.campaigns, campaignsHandlers({ ...needs, has_rate_limits, wake, announce }))
    },
  }
}
