import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { findCaller, hasUser, isBanned, type User } from '#server/auth/accounts/users.store.ts'
import { AuthError, sessionNotFound, userBanned } from '#server/auth/auth-error.ts'
import type { Services } from '#server/auth/services.ts'
import type { Bearer } from './tokens.ts'

const BEARER = /^bearer +(\S+)$/i

/** Returns the bearer token of a call. Throws 401 without one. */
export const readBearer = (headers: FastifyRequest['headers']): string => {
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (!token)
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
  return token
}

const verified = new WeakMap<FastifyRequest['headers'], Promise<Bearer>>()

/**
 * Verifies the token of a call without a query, once per call; the session may have ended. Throws 401 without a
 * token, 403 for an invalid one.
 */
export const bearerOf = (
  { tokens }: Pick<Services, 'tokens'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<Bearer> => {
  const known = verified.get(headers)
  if (known) return known
  const bearer = tokens.verify(readBearer(headers))
  verified.set(headers, bearer)
  return bearer
}

/** Authenticated caller. `needs_factor` is true if a second factor was not shown. */
export type Caller = { user: User; bearer: Bearer; needs_factor: boolean }

/**
 * Returns the caller of a valid token whose session and user exist. The query at every call makes sign-outs and
 * deletions effective at once. Throws 401 without a token, 403 otherwise.
 */
export const authenticate = async (
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Caller> => {
  const bearer = await bearerOf({ tokens }, request)
  const found = await findCaller(db, bearer)
  if (found) {
    if (isBanned(found.user)) throw userBanned(403)
    return { ...found, bearer }
  }
  if (await hasUser(db, bearer.user_id)) throw sessionNotFound()
  throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Creates a hook that authenticates the caller before the body is read. */
export const identifyAccount =
  (services: Pick<Services, 'db' | 'tokens'>): onRequestAsyncHookHandler =>
  async (request) => {
    callers.set(request, await authenticate(services, request))
  }

/** Returns the caller found by `identifyAccount`. Throws on a route without that hook. */
export const callerOf = (request: FastifyRequest): Caller => {
  const caller = callers.get(request)
  if (!caller) throw new Error(`${request.routeOptions.url} does not identify its caller`)
  return caller
}
