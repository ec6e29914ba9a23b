import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { findCaller, hasUser, isBanned, type User } from '#server/auth/accounts/users.store.ts'
import { AuthError, sessionNotFound, userBanned } from '#server/auth/auth-error.ts'
import type { Services } from '#server/auth/services.ts'
import type { Bearer } from './tokens.ts'

const BEARER = /^bearer +(\S+)$/i

/** The token of a call; 401 when it carries none. */
export const readBearer = (headers: FastifyRequest['headers']): string => {
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (!token)
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
  return token
}

const verified = new WeakMap<FastifyRequest['headers'], Promise<Bearer>>()

/**
 * Who a call's token speaks for, whether or not the session still exists: no query is made. Verified once a
 * call. 401 without a bearer token, 403 for one that is not genuine.
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

/** Who calls; `needs_factor` when the account has a second factor that this session has not shown. */
export type Caller = { user: User; bearer: Bearer; needs_factor: boolean }

/**
 * Who calls: a genuine access token whose session and user still exist, looked up on every call so that
 * sign-out, a password change and deletion end access at once, in every process. 401 without a bearer
 * token, 403 otherwise.
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

/** Makes the hook that identifies the caller of a route before its body is read, as `authenticate` does. */
export const identifyAccount =
  (services: Pick<Services, 'db' | 'tokens'>): onRequestAsyncHookHandler =>
  async (request) => {
    callers.set(request, await authenticate(services, request))
  }

/** Caller that `identifyAccount` found; an error on a route without that hook. */
export const callerOf = (request: FastifyRequest): Caller => {
  const caller = callers.get(request)
  if (!caller) throw new Error(`${request.routeOptions.url} does not identify its caller`)
  return caller
}
