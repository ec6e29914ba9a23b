import { createLruCache } from './lru-cache.ts'

export type TtlCache<Value> = {
  /** What the database says of a key, or said at most `trusted_ms` ago. */
  find: (key: string) => Promise<Value>
  /** The same without waiting; undefined when the database has to be asked. */
  known: (key: string) => Value | undefined
  /** Forgets a key whose value has changed: the next call asks the database. */
  forget: (key: string) => void
  /** Changes may have been missed. */
  forgetAll: () => void
}

type Batch<Value> = {
  keys: Set<string>
  changed: Set<string>
  answer: Promise<Map<string, Value>>
}

export type TtlCacheOptions = { trusted_ms?: number; now?: () => number }

/** A change is seen within a second even when its notice is lost. */
const TRUSTED_MS = 500
/** What is remembered of keys that name nothing is bounded by this too. */
const LARGEST_MEMORY = 20_000

/**
 * Values that change rarely and are read at each visit, cached for a moment; calls of the same turn of
 * the event loop share one query. `ask` gives those that exist, the others are `missing`.
 */
export const createTtlCache = <Value extends object>(
  ask: (keys: string[]) => Promise<Map<string, Value>>,
  missing: Value,
  { trusted_ms = TRUSTED_MS, now = () => performance.now() }: TtlCacheOptions = {},
): TtlCache<Value> => {
  const memory = createLruCache<{ value: Value; asked_at: number }>(LARGEST_MEMORY)
  const underway = new Set<Batch<Value>>()
  let gathering: Batch<Value> | undefined

  const askFor = async (batch: Batch<Value>): Promise<Map<string, Value>> => {
    // Calls of this turn of the event loop still join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    gathering = undefined
    underway.add(batch)
    const asked_at = now()
    try {
      const found = await ask([...batch.keys])
      for (const key of batch.keys)
        if (!batch.changed.has(key)) memory.set(key, { value: found.get(key) ?? missing, asked_at })
      return found
    } finally {
      underway.delete(batch)
    }
  }
  const gather = (): Batch<Value> => {
    const batch: Batch<Value> = {
      keys: new Set(),
      changed: new Set(),
      answer: Promise.resolve(new Map()),
    }
    batch.answer = askFor(batch)
    return batch
  }
  const known = (key: string): Value | undefined => {
    const kept = memory.get(key)
    return kept && now() - kept.asked_at < trusted_ms ? kept.value : undefined
  }

  return {
    known,
    find: async (key) => {
      const remembered = known(key)
      if (remembered) return remembered
      gathering ??= gather()
      const { keys, answer } = gathering
      keys.add(key)
      return (await answer).get(key) ?? missing
    },
    forget: (key) => {
      memory.delete(key)
      // A query under way may read the state before the change.
      for (const batch of underway) batch.changed.add(key)
    },
    forgetAll: () => {
      memory.clear()
      for (const { keys, changed } of underway) for (const key of keys) changed.add(key)
    },
  }
}
