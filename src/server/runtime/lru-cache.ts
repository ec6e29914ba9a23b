import { LRUCache } from 'lru-cache'

/** A least-recently-used cache: reading or writing an entry makes it the most recent one. */
export type LruCache<T extends {}> = LRUCache<string, T>

/**
 * A cache of at most `largest` entries, or of `largest` in the unit of `sizeOf` (a whole number from 1). An entry that
 * alone is larger is not kept.
 */
export const createLruCache = <T extends {}>(
  largest: number,
  sizeOf: (value: T) => number = () => 1,
): LruCache<T> =>
  // The option `max` would allocate for `largest` entries at once: 1 MiB for 50,000, full or not.
  new LRUCache({ maxSize: largest, sizeCalculation: sizeOf })
