import type { FastifyRequest } from 'fastify'
import { isScopeSufficient, isWellFormedKey } from '#domain/accounts/api-key.ts'
import type { Db } from '#server/db/database.ts'
import type { IdentifyCreator } from '#server/http/edge/caller.ts'
import { ApiError, forbidden } from '#server/http/edge/errors.ts'
import { MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { keyHash } from './api-keys.routes.ts'
import { findKey, markKeyUsed } from './api-keys.store.ts'

/** Bearer token with the prefix of an API key, valid or not. */
const BEARER = /^bearer +(qz_\S*)$/i

const keyIn = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1]

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
 * Lets API keys call the product API in place of sessions. `identify` reads a key from the database at each call, so
 * that every process refuses a revoked key at once. Other tokens go to `identifySession`.
 *
 * Throws 401 for a mistyped, unknown or expired key and for a suspended account. Throws 403 if the route is closed to
 * keys or needs another scope. `keyOf` returns the hash of a key that this process has accepted before, without a query.
 */
export const acceptKeys = (
  db: Db,
  identifySession: IdentifyCreator,
): { identify: IdentifyCreator; keyOf: (request: FastifyRequest) => string | undefined } => {
  /** Hashes of accepted keys. Calls with other keys are counted by address, so that invented keys share one count. */
  const proven = createLruCache<true>(MAX_TRACKED_KEYS)

  const callerOf = async (request: FastifyRequest, key: string) => {
    if (!isWellFormedKey(key)) throw mistyped()
    const hash = keyHash(key)
    const name = hash.toString('base64')
    const found = await findKey(db, hash)
    if (!found || found.is_expired || found.is_blocked) {
      proven.delete(name)
      if (!found) throw unknown()
      throw found.is_expired ? expired() : blocked()
    }
    proven.set(name, true)
    const { key_scope } = request.routeOptions.config
    if (!key_scope) throw notForKeys()
    if (!isScopeSufficient(found.scope, key_scope)) throw tooSmall()
    if (found.is_due) await markKeyUsed(db, found.id)
    return { id: found.user_id, session_id: undefined, is_api_key: true as const }
  }

  return {
    identify: async (request) => {
      const key = keyIn(request)
      return key === undefined ? identifySession(request) : callerOf(request, key)
    },
    keyOf: (request) => {
      const key = keyIn(request)
      const name = key && keyHash(key).toString('base64')
      return name && proven.has(name) ? name : undefined
    },
  }
}
