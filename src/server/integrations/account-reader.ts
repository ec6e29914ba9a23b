import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { tooMany } from '#server/http/edge/errors.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { createAccountError, createNotConnectedError, silent } from './connection-errors.ts'
import { findConnection } from './connections.store.ts'
import type { Integrations } from './create-integrations.ts'
import type { Failure, OpenConnection, Provider } from './providers/provider.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'rate_limits'>
  integrations: Pick<Integrations, 'use'>
}

/** Limit of lists, because each list takes calls from the small limit of an account. */
const READ_LIMIT = { calls: 20, per_seconds: 600, burst: 20 }
const CACHE_MS = 60_000
/** Maximum number of accounts with a cached list. */
const MAX_CACHED_ACCOUNTS = 100

/** Returns a list of the creator's account at a tool. Throws if the account is not connected or refused. */
export type ReadAccount<T> = (owned: { user_id: string; provider: ProviderName }) => Promise<T>

/** Creates the function that returns what `read` lists of a creator's account, cached for a minute. */
export const createAccountReader = <T extends { kind: 'labels' | 'account_fields' }>(
  { db, config, integrations }: Dependencies,
  read: (connection: OpenConnection, tool: Provider) => Promise<T | Failure>,
): ReadAccount<T> => {
  const cache = createLruCache<{ found: T; until: number }>(MAX_CACHED_ACCOUNTS)
  const bucket = createTokenBucket(READ_LIMIT)
  return async (owned) => {
    const connection = await findConnection(db, owned)
    if (!connection?.sealed_secret) throw createNotConnectedError()
    // The key contains the time of the last change, so that another account has another cache
    // entry.
    const key = `${connection.id} ${connection.updated_at}`
    const known = cache.get(key)
    if (known && known.until > Date.now()) return known.found
    const seconds = config.rate_limits ? bucket(owned.user_id) : 0
    if (seconds > 0) throw tooMany(seconds)
    const found = await integrations.use(connection.id, read)
    if (isFailure(found)) {
      if (found.kind === 'credential') throw createAccountError(owned.provider, found)
      throw silent()
    }
    cache.set(key, { found, until: Date.now() + CACHE_MS })
    return found
  }
}

const isFailure = <T extends { kind: 'labels' | 'account_fields' }>(
  found: T | Failure,
): found is Failure => found.kind !== 'labels' && found.kind !== 'account_fields'
