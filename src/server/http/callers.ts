import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unauthorized } from './errors.ts'

/** A signed-in creator; without a session when an API key calls. */
export type Creator = { id: string; session_id: string | undefined; is_api_key?: true }

/** Identifies the caller of a request: null without a token; throws `unauthorized()` for a token that opens nothing. */
export type IdentifyCreator = (request: FastifyRequest) => Promise<Creator | null>

/**
 * Identifies the caller of each route of the product API whose `access` is 'creator' or 'optional', once a request
 * and before its body is read. Handlers find the creator in `request.creator`; a 'creator' route without one is
 * refused (401).
 */
export const identifyCallers = (app: FastifyInstance, identify: IdentifyCreator): void => {
  app.decorateRequest('creator', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config
    if (access !== 'creator' && access !== 'optional') return done()
    identify(request).then((creator) => {
      request.creator = creator
      done(access === 'creator' && !creator ? unauthorized() : undefined)
    }, done)
  })
}

/**
 * Returns the address of a webhook as its caller may read it: whole in a session, the host alone for an API key, because
 * the path and the query of such addresses are often secrets.
 */
export const addressFor = <T extends string | null>({ is_api_key }: Creator, address: T): T =>
  address && is_api_key ? (`${new URL(address).origin}/…` as T) : address

/** Creator of a call whose route requires one. Throws `unauthorized()` (401) if none was identified. */
export const creatorOf = ({ creator }: FastifyRequest): Creator => {
  if (!creator) throw unauthorized()
  return creator
}
