import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import type { HeavyReads } from '#server/db/heavy-reads.ts'
import { AbandonedCall, unavailable } from '#server/http/edge/errors.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { createConcurrencyLimit } from '#server/runtime/concurrency-limit.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { createCountTimeoutError } from './read-view.ts'

type StateCount<T> = { state_hash: string; answer: Promise<T> }

/**
 * Creates a cache of counts by key, valid until the hash of the counted state changes. Concurrent calls with
 * one key share a count, and the least recently used counts are evicted. If the call that counts is abandoned,
 * the others count again.
 */
export const createCountCache = <T>(most: number) => {
  const memory = createLruCache<StateCount<T>>(most)
  return (key: string, state_hash: string, count: () => Promise<T>): Promise<T> => {
    const known = memory.get(key)
    if (known?.state_hash === state_hash)
      return known.answer.catch((error: unknown) => {
        if (error instanceof AbandonedCall) return count()
        throw error
      })
    const kept = { state_hash, answer: count() }
    memory.set(key, kept)
    // A failed count is removed from the cache, so that the next call counts again.
    kept.answer.catch(() => memory.peek(key) === kept && memory.delete(key))
    return kept.answer
  }
}

/** Statement timeout of a background count. */
const MAX_COUNT_MS = 120_000
/** Maximum number of queued counts, in all and per creator. */
const MAX_COUNTS = 20
const MAX_COUNTS_PER_CREATOR = 5
const MAX_CACHED = 200
/**
 * Pause after a count, as a multiple of its duration, so that a changing selection takes at most a fifth of the
 * time.
 */
const PAUSE_FACTOR = 4
const MAX_PAUSE_MS = 60_000
const MIN_PAUSE_MS = 2_000

/** State of the participants that a count covers. */
export type State = {
  state_hash: string
  /** Number of removed participants of each version. Counts that include removed participants are never shown. */
  removed: readonly string[]
}
/** Cached count. `rank` is its number in the order in which the counts of the process began, from 1. */
type CachedCount<T> = State & { counted_at: string; rank: number; value: T }

type Entry<T> = {
  kept: CachedCount<T> | undefined
  counting: Promise<void> | undefined
  paused_until: number
  /** True if the last count failed; it is not retried during the pause. */
  has_failed: boolean
}
type Count<T> = (db: Db) => Promise<State & { value: T }>

/**
 * Creates the counter of large selections. Counts run one after the other on their own connection, and creators
 * take turns. Calls for the same selection share one count, and the last counts of each kind are cached.
 */
export const createBackgroundCounts = (
  heavyReads: Pick<HeavyReads, 'openDedicated'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
) => {
  const reads = heavyReads.openDedicated({
    name: 'counts',
    max_connections: 1,
    timeout_ms: MAX_COUNT_MS,
  })
  let isClosed = false
  const limit = createConcurrencyLimit({
    at_once: 1,
    most_waiting: MAX_COUNTS,
    refusal: () => unavailable(10),
  })
  /** Creators of the running and queued counts, one entry per count. */
  const creators: string[] = []
  let nb_begun = 0

  const begin = <T>(entry: Entry<T>, creator_id: string, count: Count<T>): void => {
    creators.push(creator_id)
    const rank = ++nb_begun
    const began = performance.now()
    const run = async (): Promise<void> => {
      const counted_at = new Date().toISOString()
      try {
        entry.kept = {
          ...(await limit({ key: creator_id }, () => reads.run(({ db }) => count(db)))),
          counted_at,
          rank,
        }
        entry.has_failed = false
      } catch (error) {
        entry.has_failed = true
        if (!isClosed) log.warn({ err: error }, 'background count of a selection failed')
      }
      const took = performance.now() - began
      const rest = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * took))
      entry.paused_until = performance.now() + rest
      entry.counting = undefined
      creators.splice(creators.indexOf(creator_id), 1)
    }
    entry.counting = run()
  }

  /**
   * Creates a function that returns the last count under a key and queues a new count if the state has changed.
   * Counts with removed participants are not returned. Throws a 503 if the queue is full or the count failed.
   */
  const asking = <T>() => {
    const entries = createLruCache<Entry<T>>(MAX_CACHED)
    return (
      key: string,
      {
        state_hash,
        removed,
        creator_id,
        is_waited_for,
      }: State & { creator_id: string; is_waited_for: boolean },
      count: Count<T>,
    ): Pick<Entry<T>, 'kept' | 'counting'> => {
      const entry = entries.get(key) ?? {
        kept: undefined,
        counting: undefined,
        paused_until: 0,
        has_failed: false,
      }
      entries.set(key, entry)
      // A version without cached counts had no participants who could have been removed.
      if (entry.kept?.removed.some((version) => !removed.includes(version))) {
        entry.kept = undefined
        if (!entry.has_failed) entry.paused_until = 0
      }
      const isPauseOver =
        performance.now() >= entry.paused_until || (is_waited_for && !entry.has_failed)
      const isDue = entry.kept?.state_hash !== state_hash && isPauseOver
      if (!entry.counting && entry.has_failed && !isDue) throw createCountTimeoutError()
      if (!entry.counting && isDue && !isClosed) {
        const nb_own = creators.filter((id) => id === creator_id).length
        if (creators.length >= MAX_COUNTS || nb_own >= MAX_COUNTS_PER_CREATOR) throw unavailable(10)
        begin(entry, creator_id, count)
      }
      return entry
    }
  }

  return {
    asking,
    /** Returns the number of counts that have begun. */
    countBegun: () => nb_begun,
    /** Cancels the running count. */
    close: async (): Promise<void> => {
      isClosed = true
      await reads.close()
    },
  }
}

/** Counter of large selections. */
export type BackgroundCounts = ReturnType<typeof createBackgroundCounts>

/** Time for which a call waits for the exact counts of a large selection. */
const WAIT_MS = 2_500

/** Exact counts. If `as_of` is set, the previous counts, or undefined if there are none. */
type CountResult<T> =
  | { value: T; as_of?: undefined }
  | { value: T | undefined; as_of: { counted_at: string | null } }

type Last = (State & { rank: number }) | undefined

/** Creates a function that counts large selections of one kind in the background. */
export const createLargeCounts = <T>(background: BackgroundCounts) => {
  const askFor = background.asking<T>()
  /**
   * Waits for the counts of this state. With `is_async`, returns the last known counts and their time at once.
   * Throws a 503 if the wait was too short; the count continues.
   */
  return async (
    key: string,
    {
      state_hash,
      removed,
      creator_id,
      is_async,
    }: State & { creator_id: string; is_async: boolean },
    count: Parameters<typeof askFor>[2],
  ): Promise<CountResult<T>> => {
    const asked_at = performance.now()
    const nb_begun_before = background.countBegun()
    const readCount = async () => {
      const entry = askFor(
        key,
        { state_hash, removed, creator_id, is_waited_for: !is_async },
        count,
      )
      if (entry.kept?.state_hash !== state_hash && entry.counting && !is_async)
        await settleWithin(asked_at + WAIT_MS - performance.now(), entry.counting)
      return entry.kept
    }
    /** Returns true if the counts cover this state, or were begun after the call. */
    const isExact = (kept: Last): boolean =>
      kept !== undefined && (kept.state_hash === state_hash || kept.rank > nb_begun_before)
    let kept = await readCount()
    // The running count may have covered the previous state, so the next count is awaited too.
    if (!is_async && !isExact(kept)) kept = await readCount()
    if (kept && isExact(kept)) return { value: kept.value }
    if (!is_async) throw createCountTimeoutError()
    return { value: kept?.value, as_of: { counted_at: kept?.counted_at ?? null } }
  }
}
