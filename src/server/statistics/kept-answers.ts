import { AbandonedCall } from '#server/http/errors.ts'
import { boundedCache } from '#server/runtime/bounded-cache.ts'

type Kept<T> = { stamp: string; answer: Promise<T> }

/**
 * Keeps what was counted under a key for as long as its stamp, which names the state it was counted in,
 * stays the same; simultaneous calls under one key share a count. The least recently used are forgotten. A call that
 * shares a count whose own call was abandoned counts by itself.
 */
export const createKeptAnswers = <T>(most: number) => {
  const memory = boundedCache<Kept<T>>(most)
  return (key: string, stamp: string, count: () => Promise<T>): Promise<T> => {
    const known = memory.get(key)
    if (known?.stamp === stamp)
      return known.answer.catch((error: unknown) => {
        if (error instanceof AbandonedCall) return count()
        throw error
      })
    const kept = { stamp, answer: count() }
    memory.set(key, kept)
    // A count that failed, or was too long, is tried again by the next call.
    kept.answer.catch(() => memory.peek(key) === kept && memory.delete(key))
    return kept.answer
  }
}
