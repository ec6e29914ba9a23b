import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cleanPublicAddress } from './clean-public-address.ts'

/** Sends the browser from a damaged public address to the clean one, and returns true. Returns false for other addresses. */
export const redirectDamagedAddress = (
  { url, method }: Pick<FastifyRequest, 'url' | 'method'>,
  reply: FastifyReply,
): boolean => {
  if (method !== 'GET' && method !== 'HEAD') return false
  const clean = cleanPublicAddress(url)
  if (clean === undefined || clean === url) return false
  // The address may hold a secret, and its quiz may get another slug.
  reply.header('cache-control', 'no-store').redirect(clean, 308)
  return true
}

/** Adds the hook that redirects damaged public addresses before any route sees them. */
export const cleanAddresses = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!redirectDamagedAddress(request, reply)) done()
  })
}

const VISITOR_ADDRESS =
  /^\/+(?:(?:q|attestation|desinscription)(?![\w-])|statistiques\/*(?:[?#]|$))/i

/**
 * Returns true for the addresses of visitors, which never lead to the screens of creators. Shared statistics are such a
 * screen, but not without their token.
 */
export const isVisitorAddress = (url: string): boolean => VISITOR_ADDRESS.test(url)
