import { AbandonedCall } from '#server/http/edge/errors.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'

type Kept<T> = { state_hash: string; answer: Promise<T> }

/**
 * Caches counts by key until `state_hash`, which identifies the counted state, changes. Simultaneous calls under one key share
 * a count, and the least recently used counts are dropped. A call that shares the count of an abandoned call counts again.
 */
export const createCountCache = <T>(most: number) => {
  const memory = createLruCache<Kept<T>>(most)
  return (key: string, state_hash: string, count: () => Promise<T>): Promise<T> => {
    const known = memory.get(key)
    if (known?.state_hash === state_hash)
      return known.answer.catch((error: unknown) => {
        if (error instanceof AbandonedCall) return count()
        throw error
      })
    const kept = { state_hash, answer: count() }
    memory.set(key, kept)
    // A count that failed, or was too long, is tried again by the next call.
    kept.answer.catch(() => memory.peek(key) === kept && memory.delete(key))
    return kept.answer
  }
}
