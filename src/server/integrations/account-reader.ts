import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { type ApiError, tooMany } from '#server/http/edge/errors.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { createAccountError, createNotConnectedError, silent } from './connection-errors.ts'
import { findConnection } from './connections.store.ts'
import type { Integrations } from './create-integrations.ts'
import type { Failure, OpenConnection, Provider } from './providers/provider.ts'
import { transient } from './providers/provider-requests.ts'

/** Dependencies of a reader of accounts. */
export type AccountReaderDependencies = {
  db: Db
  config: Pick<Config, 'rate_limits'>
  integrations: Pick<Integrations, 'use'>
}
type AccountList = { kind: 'labels' | 'account_fields' }

/** Limit of lists, because each list takes calls from the small limit of an account. */
const READ_LIMIT = { calls: 20, per_seconds: 600, burst: 20 }
const CACHE_MS = 60_000
/** Maximum number of cached lists, one for each account and subject. */
const MAX_CACHED_LISTS = 300
/** Milliseconds that all pages of a list may take together. */
const LIST_TIMEOUT_MS = 10_000

/**
 * Creates the function that returns what `list` finds in a creator's account, cached for a minute. Throws a 429
 * after too many lists, and an error if the account is not connected, is refused or answers too late. `describeRefusal` explains a final refusal.
 */
export const createAccountReader = <T extends AccountList, Subject extends string | null = null>(
  { db, config, integrations }: AccountReaderDependencies,
  list: (connection: OpenConnection, tool: Provider, subject: Subject) => Promise<T | Failure>,
  describeRefusal: (subject: Subject) => ApiError | undefined = () => undefined,
) => {
  const cache = createLruCache<{ found: T; until: number }>(MAX_CACHED_LISTS)
  const bucket = createTokenBucket(READ_LIMIT)
  return async (
    owned: { user_id: string; provider: ProviderName },
    subject: Subject,
  ): Promise<T> => {
    const connection = await findConnection(db, owned)
    if (!connection?.sealed_secret) throw createNotConnectedError()
    // The key contains the time of the last change, so that another account has another cache
    // entry.
    const key = `${connection.id} ${connection.updated_at} ${subject}`
    const known = cache.get(key)
    if (known && known.until > performance.now()) return known.found
    const seconds = config.rate_limits ? bucket(owned.user_id) : 0
    if (seconds > 0) throw tooMany(seconds)
    const until = performance.now() + LIST_TIMEOUT_MS
    const isLate = (): boolean => performance.now() >= until
    const reading = integrations.use(connection.id, (open, tool) =>
      list({ ...open, isLate }, tool, subject),
    )
    await settleWithin(LIST_TIMEOUT_MS, reading)
    const found = await Promise.race([reading, transient('timeout')])
    if (isListed(found)) {
      cache.set(key, { found, until: performance.now() + CACHE_MS })
      return found
    }
    const refusal = found.kind === 'permanent' ? describeRefusal(subject) : undefined
    if (refusal) throw refusal
    throw found.kind === 'credential' ? createAccountError(owned.provider, found) : silent()
  }
}

const isListed = <T extends AccountList>(found: T | Failure): found is T =>
  found.kind === 'labels' || found.kind === 'account_fields'
