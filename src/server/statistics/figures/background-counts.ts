import type { FastifyBaseLogger } from 'fastify'
import type { OpenDedicatedPool } from '#server/db/connection-pools.ts'
import type { Db } from '#server/db/database.ts'
import { unavailable } from '#server/http/edge/errors.ts'
import { createConcurrencyLimit } from '#server/runtime/concurrency-limit.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'
import { createCountTimeoutError } from './read-view.ts'

const LONGEST_COUNT_MS = 120_000
/** Counts in the queue, of all creators and of one. */
const MAX_COUNTS = 20
const MAX_COUNTS_PER_CREATOR = 5
const MOST_KEPT = 200
/** A selection that keeps changing is counted for a fifth of the time at most. */
const REST_SHARE = 4
const LONGEST_REST_MS = 60_000
const SHORTEST_REST_MS = 2_000

/** The participants that a count was made of. */
export type State = {
  state_hash: string
  /** How many were removed of each version: their answers are never shown again. */
  removed: readonly string[]
}
/** `began` is a time of `performance.now`, which never goes back. */
type Kept<T> = State & { counted_at: string; began: number; value: T }

type Entry<T> = {
  kept: Kept<T> | undefined
  counting: Promise<void> | undefined
  rests_until: number
  /** The last count failed, and is not tried again while it rests. */
  has_failed: boolean
}
type Count<T> = (db: Db) => Promise<State & { value: T }>

/**
 * Counts large selections one after another on a connection of its own, the creators in turn, each once for all its
 * callers, and keeps the last counts of each kind.
 */
export const createBackgroundCounts = (
  openDedicatedPool: OpenDedicatedPool,
  log: Pick<FastifyBaseLogger, 'warn'>,
) => {
  const { db, close } = openDedicatedPool({ name: 'counts', most: 1, longest_ms: LONGEST_COUNT_MS })
  let isClosed = false
  const limit = createConcurrencyLimit({
    at_once: 1,
    most_waiting: MAX_COUNTS,
    refusal: () => unavailable(10),
  })
  /** Creators of the counts that run or wait, once for each count. */
  const creators: string[] = []

  const begin = <T>(entry: Entry<T>, creator_id: string, count: Count<T>): void => {
    creators.push(creator_id)
    const began = performance.now()
    const run = async (): Promise<void> => {
      const counted_at = new Date().toISOString()
      try {
        entry.kept = { ...(await limit({ key: creator_id }, () => count(db))), counted_at, began }
        entry.has_failed = false
      } catch (error) {
        entry.has_failed = true
        if (!isClosed) log.warn({ err: error }, 'a selection was not counted')
      }
      const took = performance.now() - began
      const rest = Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, REST_SHARE * took))
      entry.rests_until = Date.now() + rest
      entry.counting = undefined
      creators.splice(creators.indexOf(creator_id), 1)
    }
    entry.counting = run()
  }

  /**
   * Gives, of one kind, the last counts under a key, unless a participant of them was removed. When they are of
   * another state, a count of this one is queued, or will be after a pause (at once if a caller waits for it).
   * 503 when the queue is full, or when counting failed.
   */
  const asking = <T>() => {
    const entries = createLruCache<Entry<T>>(MOST_KEPT)
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
        rests_until: 0,
        has_failed: false,
      }
      entries.set(key, entry)
      // A version that the kept counts lack has no participant in them who could have been removed.
      if (entry.kept?.removed.some((version) => !removed.includes(version))) {
        entry.kept = undefined
        if (!entry.has_failed) entry.rests_until = 0
      }
      const isRested = Date.now() >= entry.rests_until || (is_waited_for && !entry.has_failed)
      const isDue = entry.kept?.state_hash !== state_hash && isRested
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
    /** Cancels the count under way. */
    close: async (): Promise<void> => {
      isClosed = true
      await close()
    },
  }
}

export type BackgroundCounts = ReturnType<typeof createBackgroundCounts>

/** How long a call that needs the exact counts waits for a large selection. */
const PATIENCE_MS = 2_500

/** Counts of the state that was asked about; or, with `as_of`, those of a moment before, if there are any. */
type Counted<T> =
  | { value: T; as_of?: undefined }
  | { value: T | undefined; as_of: { counted_at: string | null } }

type Last = (State & { began: number }) | undefined

/** Counts of one kind that take longer than a call may. */
export const createLargeCounts = <T>(background: BackgroundCounts) => {
  const askFor = background.asking<T>()
  /**
   * Those of this state, waited for; or, with `is_async`, the last known ones and their time. 503 when the wait was
   * too short; the count continues.
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
  ): Promise<Counted<T>> => {
    const asked_at = performance.now()
    const look = async () => {
      const entry = askFor(
        key,
        { state_hash, removed, creator_id, is_waited_for: !is_async },
        count,
      )
      if (entry.kept?.state_hash !== state_hash && entry.counting && !is_async)
        await settleWithin(asked_at + PATIENCE_MS - performance.now(), entry.counting)
      return entry.kept
    }
    /** What was begun since the call is of its participants, or of those who came meanwhile too. */
    const isExact = (kept: Last): boolean =>
      kept !== undefined && (kept.state_hash === state_hash || kept.began >= asked_at)
    let kept = await look()
    // The count under way may have been of those before.
    if (!is_async && !isExact(kept)) kept = await look()
    if (kept && isExact(kept)) return { value: kept.value }
    if (!is_async) throw createCountTimeoutError()
    return { value: kept?.value, as_of: { counted_at: kept?.counted_at ?? null } }
  }
}
