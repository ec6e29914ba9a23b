import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { isScopeSufficient, isWellFormedKey } from '#domain/accounts/api-key.ts'
import type { CallerIdentification, Creator } from '#server/http/edge/caller.ts'
import { ApiError, factorRequired, forbidden, unauthorized } from '#server/http/edge/errors.ts'
import { MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { findCaller, hasUser, isBanned, type User } from './accounts/users.store.ts'
import { keyHash } from './api-keys/api-keys.routes.ts'
import { findKey, markKeyUsed } from './api-keys/api-keys.store.ts'
import { AuthError, sessionNotFound, userBanned } from './auth-error.ts'
import type { Services } from './services.ts'
import type { Bearer } from './sessions/tokens.ts'

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
 * Verifies the token of a call, once per call. Does not check in the database whether the session has ended. Throws 401
 * without a token, 403 for an invalid token.
 */
const bearerOf = (
  { tokens }: Pick<Services, 'tokens'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<Bearer> => {
  const known = verified.get(headers)
  if (known) return known
  const bearer = tokens.verify(readBearer(headers))
  verified.set(headers, bearer)
  return bearer
}

/** Authenticated caller. `needs_factor` is true if the session must still verify a second factor. */
export type Caller = { user: User; bearer: Bearer; needs_factor: boolean }

/**
 * Returns the caller of a valid token. Each call queries session and user, so that sign-outs and deletions take effect
 * at once. Throws 401 without a token, 403 if token, session or user is invalid.
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

/**
 * Returns true if the account of a session administers the installation: its address is one of ADMIN_EMAILS, and its
 * owner has proven the address and the second factor (docs/decisions/078).
 */
const isAdministrator = (
  { admin_emails }: Pick<Services, 'admin_emails'>,
  { user, needs_factor }: Caller,
): boolean =>
  user.email !== null &&
  admin_emails.includes(user.email) &&
  user.email_confirmed_at !== null &&
  user.email_proven_by !== null &&
  !user.is_anonymous &&
  !isBanned(user) &&
  !needs_factor

/**
 * Returns the creator of a session; null without a token. Throws 401 for an invalid token, 403 if the session must
 * still verify a second factor.
 */
const identifyBySession = async (
  services: Pick<Services, 'db' | 'tokens' | 'admin_emails'>,
  request: FastifyRequest,
): Promise<Creator | null> => {
  if (request.headers.authorization === undefined) return null
  try {
    const caller = await authenticate(services, request)
    const { user, bearer, needs_factor } = caller
    if (needs_factor) throw factorRequired()
    const creator = { id: user.id, session_id: bearer.session_id }
    return isAdministrator(services, caller) ? { ...creator, is_administrator: true } : creator
  } catch (error) {
    if (error instanceof AuthError) throw unauthorized()
    throw error
  }
}

/** Bearer token with the prefix of an API key, valid or not. */
const KEY_BEARER = /^bearer +(qz_\S*)$/i

const keyIn = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  KEY_BEARER.exec(headers.authorization ?? '')?.[1]

const refused = (code: string, message: string): ApiError => new ApiError(401, code, message)
const mistyped = () =>
  refused('mistyped_key', 'Cette clé d’API n’est pas entière ou a été mal recopiée')
const unknown = () => refused('unknown_key', 'Cette clé d’API n’existe pas ou a été révoquée')
const expired = () => refused('expired_key', 'Cette clé d’API a expiré')
const blocked = () => refused('blocked_account', 'Le compte de cette clé d’API est suspendu')
const notForKeys = () =>
  forbidden(
    'not_for_keys',
    'Cet appel n’est pas ouvert aux clés d’API : il demande d’être connecté à son compte',
  )
const tooSmall = () =>
  forbidden(
    'scope_too_small',
    'Cette clé d’API n’a que la portée « lecture » : cet appel demande « écriture »',
  )

/**
 * Creates the identification of callers by session or API key. `identify` reads both from the database at each call,
 * so that every process refuses an ended session and a revoked key at once. Throws 401 or 403 with the reason if the
 * token, key or account is refused.
 */
export const createCallerIdentification = (
  services: Pick<Services, 'db' | 'tokens' | 'admin_emails'>,
): CallerIdentification => {
  const { db } = services
  /** Hashes of accepted keys. Other keys have no own rate limit, because a caller could invent a new key for each call. */
  const accepted = createLruCache<true>(MAX_TRACKED_KEYS)

  const identifyByKey = async (request: FastifyRequest, key: string): Promise<Creator> => {
    if (!isWellFormedKey(key)) throw mistyped()
    const hash = keyHash(key)
    const name = hash.toString('base64')
    const found = await findKey(db, hash)
    if (!found || found.is_expired || found.is_blocked) {
      accepted.delete(name)
      if (!found) throw unknown()
      throw found.is_expired ? expired() : blocked()
    }
    accepted.set(name, true)
    const { key_scope } = request.routeOptions.config
    if (!key_scope) throw notForKeys()
    if (!isScopeSufficient(found.scope, key_scope)) throw tooSmall()
    if (found.is_due) await markKeyUsed(db, found.id)
    return { id: found.user_id, session_id: undefined, is_api_key: true }
  }

  return {
    identify: async (request) => {
      const key = keyIn(request)
      return key === undefined ? identifyBySession(services, request) : identifyByKey(request, key)
    },
    sessionOf: async (request) => {
      try {
        return (await bearerOf(services, request)).session_id
      } catch (error) {
        if (error instanceof AuthError) return undefined
        throw error
      }
    },
    keyOf: (request) => {
      const key = keyIn(request)
      const name = key && keyHash(key).toString('base64')
      return name && accepted.has(name) ? name : undefined
    },
  }
}
