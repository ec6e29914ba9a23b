import { LRUCache } from 'lru-cache'

/** A least-recently-used cache. Reading or writing an entry makes it the most recent one. */
export type LruCache<T extends {}> = LRUCache<string, T>

/**
 * Creates a cache whose entries have at most `largest` as the sum of `sizeOf` (whole numbers from 1; 1 for each entry
 * by default). A larger single entry is not stored.
 */
export const createLruCache = <T extends {}>(
  largest: number,
  sizeOf: (value: T) => number = () => 1,
): LruCache<T> =>
  // The option `max` would allocate memory for `largest` entries at once: 1 MiB for 50,000.
  new LRUCache({ maxSize: largest, sizeCalculation: sizeOf })

/** Cache of database values whose entries expire after a short time. */
export type TtlCache<Value> = {
  /** Returns the value of a key, at most `trusted_ms` old. */
  find: (key: string) => Promise<Value>
  /** Returns the cached value without waiting; undefined if the database must be queried. */
  getFresh: (key: string) => Value | undefined
  /** Returns the last value without waiting, of any age; undefined if none was read since the last known change. */
  getKnown: (key: string) => Value | undefined
  /** Removes a key whose value has changed, so that the next call queries the database. */
  forget: (key: string) => void
  /** Removes all keys, because notices of changes may have been missed. */
  forgetAll: () => void
}

type Batch<Value> = {
  keys: Set<string>
  changed: Set<string>
  answer: Promise<Map<string, Value>>
}

/** Lifetime of an entry in milliseconds, and the clock. */
export type TtlCacheOptions = { trusted_ms?: number; now?: () => number }

/** Lifetime of an entry. Half a second makes a change visible within a second even if its notice is lost. */
const DEFAULT_TTL_MS = 500
/** Maximum number of entries, including those of unknown keys. */
const MAX_ENTRIES = 20_000

/**
 * Creates a cache of values that change rarely and are read at each visit. Calls in the same turn of the event
 * loop share one query. `ask` returns the existing values; other keys get `missing`.
 */
export const createTtlCache = <Value extends object>(
  ask: (keys: string[]) => Promise<Map<string, Value>>,
  missing: Value,
  { trusted_ms = DEFAULT_TTL_MS, now = () => performance.now() }: TtlCacheOptions = {},
): TtlCache<Value> => {
  const memory = createLruCache<{ value: Value; asked_at: number }>(MAX_ENTRIES)
  const underway = new Set<Batch<Value>>()
  let gathering: Batch<Value> | undefined

  const askFor = async (batch: Batch<Value>): Promise<Map<string, Value>> => {
    // Waits for the end of this turn of the event loop, so that further calls join the batch.
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
  const getFresh = (key: string): Value | undefined => {
    const kept = memory.get(key)
    return kept && now() - kept.asked_at < trusted_ms ? kept.value : undefined
  }

  return {
    getFresh,
    getKnown: (key) => memory.get(key)?.value,
    find: async (key) => {
      const remembered = getFresh(key)
      if (remembered) return remembered
      gathering ??= gather()
      const { keys, answer } = gathering
      keys.add(key)
      return (await answer).get(key) ?? missing
    },
    forget: (key) => {
      memory.delete(key)
      // A running query may have read the state before the change, so its value for the key is not cached.
      for (const batch of underway) batch.changed.add(key)
    },
    forgetAll: () => {
      memory.clear()
      for (const { keys, changed } of underway) for (const key of keys) changed.add(key)
    },
  }
}
