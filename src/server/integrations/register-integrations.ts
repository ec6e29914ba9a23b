import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import { createIntegrations, type Integrations } from './create-integrations.ts'
import { integrationsHandlers } from './integrations.routes.ts'
import { registerKitConsent } from './kit-consent.routes.ts'

type Dependencies = {
  db: Db
  config: Config
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
}

/** Mounts the routes of tool accounts and their switches. Refreshes idle connections until the server closes. */
export const registerIntegrations = (app: FastifyInstance, deps: Dependencies): Integrations => {
  const integrations = createIntegrations(deps)
  mount(app, api.integrations, integrationsHandlers({ ...deps, integrations }))
  registerKitConsent(app, { ...deps, integrations })
  const stopKeepAlive = integrations.keepAlive()
  app.addHook('onClose', () => stopKeepAlive())
  return integrations
}
