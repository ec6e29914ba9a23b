import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { api } from '#contract/api.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import type { CallerIdentification } from '#server/http/edge/caller.ts'
import { mount } from '#server/http/edge/mount.ts'
import type { AccountManagement } from './admin/manage-accounts.ts'
import { apiKeysHandlers } from './api-keys/api-keys.routes.ts'
import { answerUnknownRoute } from './auth-error.ts'
import { createAuth } from './create-auth.ts'
import { createHostedAuth } from './hosted/hosted-auth.ts'
import type { ReplyCodes } from './reply-addresses/reply-codes.ts'
import type { Plugins } from './services.ts'

type Dependencies = {
  db: Db
  config: Config
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
  /** Optional sign-in methods that the configuration enables. */
  plugins: Plugins
}

/** Embedded or hosted auth service, as the application uses it. */
export type AuthService = CallerIdentification & {
  /** Changes of accounts by administrators; undefined if another service holds the accounts. */
  accounts: AccountManagement | undefined
  /** Codes for reply addresses; undefined if another service holds the accounts. */
  replyCodes: ReplyCodes | undefined
  answerUnknownRoute: (request: FastifyRequest, reply: FastifyReply) => void
  /** Mounts the routes of /auth/v1 and of API keys. Call it after the hooks of the HTTP layer were added. */
  register: (app: FastifyInstance) => void
}

/** Creates the embedded auth service, or the client of a hosted one if SUPABASE_URL is set. */
export const createAuthService = ({ plugins, ...deps }: Dependencies): AuthService => {
  const { hosted } = deps.config
  const service = hosted
    ? createHostedAuth({ base: `${hosted.url}/auth/v1`, ...deps })
    : createAuth({ ...deps, plugins })
  return {
    ...service,
    answerUnknownRoute,
    register: (app) => {
      service.register(app)
      mount(app, api.apiKeys, apiKeysHandlers(deps))
    },
  }
}
