import { AbandonedCall } from '#server/http/edge/errors.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'

type CachedCount<T> = { state_hash: string; answer: Promise<T> }

/**
 * Creates a cache of counts by key, valid until the hash of the counted state changes. Concurrent calls with
 * one key share a count, and the least recently used counts are evicted. If the call that counts is abandoned,
 * the others count again.
 */
export const createCountCache = <T>(most: number) => {
  const memory = createLruCache<CachedCount<T>>(most)
  return (key: string, state_hash: string, count: () => Promise<T>): Promise<T> => {
    const known = memory.get(key)
    if (known?.state_hash === state_hash)
      return known.answer.catch((error: unknown) => {
        if (error instanceof AbandonedCall) return count()
        throw error
      })
    const kept = { state_hash, answer: count() }
    memory.set(key, kept)
    // A failed count is removed from the cache, so that the next call counts again.
    kept.answer.catch(() => memory.peek(key) === kept && memory.delete(key))
    return kept.answer
  }
}
