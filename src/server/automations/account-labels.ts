import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { tooMany } from '#server/http/edge/errors.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import {
  createAccountError,
  createNotConnectedError,
  silent,
} from '#server/integrations/connection-errors.ts'
import { findConnection } from '#server/integrations/connections.store.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import type { AccountLabels } from '#server/integrations/providers/provider.ts'
import { createLruCache } from '#server/runtime/caches.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'rate_limits'>
  integrations: Pick<Integrations, 'use'>
}
type Labels = AccountLabels['labels']

/** Limit of label lists, because each list takes calls from the small limit of an account. */
const READ_LIMIT = { calls: 20, per_seconds: 600, burst: 20 }
const CACHE_MS = 60_000
/** Maximum number of accounts with cached labels. */
const MAX_CACHED_ACCOUNTS = 100

/** Creates the function that returns the tags or lists of a creator's account, cached for a minute. */
export const createAccountLabels = ({ db, config, integrations }: Dependencies) => {
  const cache = createLruCache<{ labels: Labels; until: number }>(MAX_CACHED_ACCOUNTS)
  const bucket = createTokenBucket(READ_LIMIT)
  return async (owned: { user_id: string; provider: ProviderName }): Promise<Labels> => {
    const connection = await findConnection(db, owned)
    if (!connection?.sealed_secret) throw createNotConnectedError()
    // The key contains the time of the last change, so that another account has another cache
    // entry.
    const key = `${connection.id} ${connection.updated_at}`
    const known = cache.get(key)
    if (known && known.until > Date.now()) return known.labels
    const seconds = config.rate_limits ? bucket(owned.user_id) : 0
    if (seconds > 0) throw tooMany(seconds)
    const read = await integrations.use(connection.id, (open, tool) => tool.listLabels(open))
    if (read.kind === 'credential') throw createAccountError(owned.provider, read)
    if (read.kind !== 'labels') throw silent()
    cache.set(key, { labels: read.labels, until: Date.now() + CACHE_MS })
    return read.labels
  }
}
