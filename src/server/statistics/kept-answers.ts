import { boundedCache } from '#server/runtime/bounded-cache.ts'

type Kept<T> = { stamp: string; answer: Promise<T> }

/**
 * Keeps what was counted under a key for as long as its stamp, which names the state it was counted in,
 * stays the same; calls for the same at the same time share one count. The least recently asked for
 * are forgotten.
 */
export const createKeptAnswers = <T>(most: number) => {
  const memory = boundedCache<Kept<T>>(most)
  return (key: string, stamp: string, count: () => Promise<T>): Promise<T> => {
    const known = memory.get(key)
    if (known?.stamp === stamp) return known.answer
    const kept = { stamp, answer: count() }
    memory.set(key, kept)
    // A count that failed, or was too long, is tried again by the next call.
    kept.answer.catch(() => memory.peek(key) === kept && memory.delete(key))
    return kept.answer
  }
}
