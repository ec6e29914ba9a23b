import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unauthorized } from './errors.ts'

/** A signed-in creator; `session_id` is undefined when an API key calls. */
export type Creator = { id: string; session_id: string | undefined }

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

/** Creator of a call whose route requires one. Throws `unauthorized()` (401) if none was identified. */
export const creatorOf = ({ creator }: FastifyRequest): Creator => {
  if (!creator) throw unauthorized()
  return creator
}
