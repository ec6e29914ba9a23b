import { setTimeout as pause } from 'node:timers/promises'
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
  /** Returns the value of a key, at most `trusted_ms` old, or `outage_ms` while the database is unavailable. */
  find: (key: string) => Promise<Value>
  /** Returns the cached value without waiting; undefined if the database must be queried. */
  getFresh: (key: string) => Value | undefined
  /** Returns the cached value of any age without waiting; undefined if no value was read since the last known change. */
  getKnown: (key: string) => Value | undefined
  /** Removes a key whose value has changed, so that the next call queries the database. */
  forget: (key: string) => void
  /** Expires all values, because notices of changes may have been missed. */
  forgetAll: () => void
}

type Batch<Value> = {
  keys: Set<string>
  changed: Set<string>
  answer: Promise<Map<string, Value>>
}

/** Value with the time and the generation of its query. */
type Entry<Value> = { value: Value; asked_at: number; generation: number }

/** Lifetimes of an entry, and the clock. */
export type TtlCacheOptions = {
  /** Milliseconds for which a value is used without a query. */
  trusted_ms?: number
  /** Milliseconds for which a value is used while the database is unavailable. */
  outage_ms?: number
  now?: () => number
}

/** Lifetime of an entry. Half a second makes a change visible within a second even if its notice is lost. */
const DEFAULT_TTL_MS = 500
/** Maximum number of entries, including those of unknown keys. */
const MAX_ENTRIES = 20_000
/** Milliseconds after which a query counts as an outage for keys with an expired value. */
const TIMEOUT_MS = 1_000

/**
 * Creates a cache of values that change rarely and are read at each visit. Calls in one turn of the event loop share a
 * query, in which `ask` returns the existing values, and other keys get `missing`. While `ask` is too slow or fails with
 * an error of `isOutage`, expired values are returned until they are `outage_ms` old.
 */
export const createTtlCache = <Value extends object>(
  ask: (keys: string[]) => Promise<Map<string, Value>>,
  missing: Value,
  isOutage: (error: unknown) => boolean,
  {
    trusted_ms = DEFAULT_TTL_MS,
    outage_ms = 0,
    now = () => performance.now(),
  }: TtlCacheOptions = {},
): TtlCache<Value> => {
  const memory = createLruCache<Entry<Value>>(MAX_ENTRIES)
  const underway = new Set<Batch<Value>>()
  let gathering: Batch<Value> | undefined
  let generation = 0
  let outage_seen_at = Number.NEGATIVE_INFINITY

  const askFor = async (batch: Batch<Value>): Promise<Map<string, Value>> => {
    // Waits for the end of this turn of the event loop, so that further calls join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    gathering = undefined
    underway.add(batch)
    const query = { asked_at: now(), generation }
    try {
      const found = await ask([...batch.keys])
      for (const key of batch.keys)
        if (!batch.changed.has(key)) memory.set(key, { value: found.get(key) ?? missing, ...query })
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
  const isYounger = ({ asked_at }: Entry<Value>, age_ms: number): boolean =>
    now() - asked_at < age_ms
  /** Returns the cached value that replaces an unavailable database. */
  const getBridging = (key: string): Value | undefined => {
    const entry = memory.get(key)
    return entry && isYounger(entry, outage_ms) ? entry.value : undefined
  }
  const getFresh = (key: string): Value | undefined => {
    const entry = memory.get(key)
    if (entry?.generation === generation && isYounger(entry, trusted_ms)) return entry.value
    // After a failed query, the database counts as unavailable for `trusted_ms`, so that other keys do not wait for
    // it.
    return now() - outage_seen_at < trusted_ms ? getBridging(key) : undefined
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
      const value = answer.then((found) => found.get(key) ?? missing)
      if (!getBridging(key)) return value
      try {
        const found = await withinTimeout(value)
        if (found) return found
      } catch (error) {
        if (!isOutage(error)) throw error
      }
      outage_seen_at = now()
      // The value may have been forgotten meanwhile.
      return getBridging(key) ?? value
    },
    forget: (key) => {
      memory.delete(key)
      // A running query may have read the state before the change, so its value for the key is not cached.
      for (const batch of underway) batch.changed.add(key)
    },
    forgetAll: () => {
      generation++
    },
  }
}

/** Returns a value that arrives within TIMEOUT_MS; undefined if it takes longer. */
const withinTimeout = async <Value>(value: Promise<Value>): Promise<Value | undefined> => {
  const over = new AbortController()
  try {
    return await Promise.race([
      value,
      pause(TIMEOUT_MS, undefined, { signal: over.signal, ref: false }),
    ])
  } finally {
    over.abort()
  }
}
