import type { ProviderName } from '#domain/common/vocabulary.ts'
import { type LabelKind, missingFeatureSentence } from '#domain/deliveries/label-kinds.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, tooMany } from '#server/http/edge/errors.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import {
  createAccountError,
  createNotConnectedError,
  silent,
} from '#server/integrations/connection-errors.ts'
import { findConnection } from '#server/integrations/connections.store.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import type { AccountLabels } from '#server/integrations/providers/provider.ts'
import { transient } from '#server/integrations/providers/provider-requests.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'rate_limits'>
  integrations: Pick<Integrations, 'use'>
}
type Labels = AccountLabels['labels']

/** Limit of label lists, because each list takes calls from the small limit of an account. */
const READ_LIMIT = { calls: 20, per_seconds: 600, burst: 20 }
const CACHE_MS = 60_000
/** Maximum number of cached lists, one for each account and kind. */
const MAX_CACHED_LISTS = 300
/** Milliseconds that all pages of a list may take together. */
const LIST_TIMEOUT_MS = 10_000

/** Creates the function that returns the labels of a kind in a creator's account, cached for a minute. */
export const createAccountLabels = ({ db, config, integrations }: Dependencies) => {
  const cache = createLruCache<{ labels: Labels; until: number }>(MAX_CACHED_LISTS)
  const bucket = createTokenBucket(READ_LIMIT)
  return async ({
    kind = null,
    ...owned
  }: {
    user_id: string
    provider: ProviderName
    /** Null means tags or lists. */
    kind?: LabelKind | null | undefined
  }): Promise<Labels> => {
    const connection = await findConnection(db, owned)
    if (!connection?.sealed_secret) throw createNotConnectedError()
    // The key contains the time of the last change, so that another account has another cache
    // entry.
    const key = `${connection.id} ${connection.updated_at} ${kind}`
    const known = cache.get(key)
    if (known && known.until > Date.now()) return known.labels
    const seconds = config.rate_limits ? bucket(owned.user_id) : 0
    if (seconds > 0) throw tooMany(seconds)
    const until = Date.now() + LIST_TIMEOUT_MS
    const isLate = (): boolean => Date.now() >= until
    const reading = integrations.use(connection.id, (open, tool) =>
      tool.listLabels({ ...open, isLate }, kind),
    )
    await settleWithin(LIST_TIMEOUT_MS, reading)
    const read = await Promise.race([reading, transient('timeout')])
    if (read.kind === 'permanent' && kind !== null)
      throw conflict('missing_feature', missingFeatureSentence(kind))
    if (read.kind === 'credential') throw createAccountError(owned.provider, read)
    if (read.kind !== 'labels') throw silent()
    cache.set(key, { labels: read.labels, until: Date.now() + CACHE_MS })
    return read.labels
  }
}
