import { createHash } from 'node:crypto'
import { AbandonedCall } from '#server/http/edge/errors.ts'
import { createLruCache, type LruCache } from '#server/runtime/caches.ts'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'

/** Counts of a selection in one state. Versions of the quiz are never part of a value, because they are large. */
type StateCount = { state_hash: string; value: unknown; bytes: number }

/** Memory of the counts of all selections. The least recently used counts leave it first. */
export type CountMemory = LruCache<StateCount>

/** Maximum size of all cached counts of a process. */
const MAX_COUNT_BYTES = 33_554_432
const KEY_BYTES = 200

/** Creates the memory that all caches of counts share. */
export const createCountMemory = (max_bytes = MAX_COUNT_BYTES): CountMemory =>
  createLruCache<StateCount>(max_bytes, ({ bytes }) => bytes)

/** Returns a key of constant size, because filters may be long and of any number. */
export const countKey = (kind: string, key: string): string =>
  `${kind} ${createHash('sha256').update(key).digest('base64url')}`

/** Returns the size of cached counts in bytes, with their key. */
export const countBytes = (value: unknown): number => KEY_BYTES + measureHeapBytes(value)

/**
 * Creates a cache of counts of one kind by key, valid until the hash of the counted state changes. Concurrent calls with
 * one key share a count. If the call that counts is abandoned, the others count again.
 */
export const createCountCache = <T>(memory: CountMemory, kind: string) => {
  const underway = new Map<string, { state_hash: string; answer: Promise<T> }>()
  return async (key: string, state_hash: string, count: () => Promise<T>): Promise<T> => {
    const stored_key = countKey(kind, key)
    const known = memory.get(stored_key)
    if (known?.state_hash === state_hash) return known.value as T
    const current = underway.get(stored_key)
    if (current?.state_hash === state_hash)
      return current.answer.catch((error: unknown) => {
        if (error instanceof AbandonedCall) return count()
        throw error
      })
    const counting = { state_hash, answer: count() }
    underway.set(stored_key, counting)
    try {
      const value = await counting.answer
      memory.set(stored_key, { state_hash, value, bytes: countBytes(value) })
      return value
    } finally {
      if (underway.get(stored_key) === counting) underway.delete(stored_key)
    }
  }
}
