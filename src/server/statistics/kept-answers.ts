type Kept<T> = { stamp: string; answer: Promise<T> }

/**
 * Keeps what was counted under a key for as long as its stamp, which names the state it was counted in,
 * stays the same; whoever asks for the same at the same time waits for one count. The ones asked for
 * longest ago are forgotten.
 */
export const createKeptAnswers = <T>(most: number) => {
  const memory = new Map<string, Kept<T>>()
  return (key: string, stamp: string, count: () => Promise<T>): Promise<T> => {
    const known = memory.get(key)
    memory.delete(key)
    if (known?.stamp === stamp) {
      memory.set(key, known)
      return known.answer
    }
    const kept = { stamp, answer: count() }
    memory.set(key, kept)
    // A count that failed, or was too long, is tried again by whoever asks next.
    kept.answer.catch(() => memory.get(key) === kept && memory.delete(key))
    const [oldest] = memory.keys()
    if (memory.size > most && oldest !== undefined) memory.delete(oldest)
    return kept.answer
  }
}
