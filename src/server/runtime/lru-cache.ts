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
