import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { mount } from '#server/http/edge/mount.ts'
import { integrationsHandlers } from '#server/integrations/integrations.routes.ts'
import { registerKitConsent } from '#server/integrations/kit-consent.routes.ts'
import { automationsHandlers } from './automations.routes.ts'

type Needs = Parameters<typeof integrationsHandlers>[0] & Parameters<typeof registerKitConsent>[1]

/** Everything about email tools but what is sent to them: accounts, switches, tags and lists. */
export const mountTools = (app: FastifyInstance, needs: Needs): void => {
  mount(app, api.integrations, integrationsHandlers(needs))
  mount(app, api.automations, automationsHandlers(needs))
  registerKitConsent(app, needs)
}
