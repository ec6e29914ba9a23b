import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import type { HeavyReads } from '#server/db/heavy-reads.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { unavailable } from '#server/http/edge/errors.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { countBytes, countKey, createCountMemory } from './count-cache.ts'
import { createCountTimeoutError } from './read-view.ts'

/** Statement timeout of a background count. */
const MAX_COUNT_MS = 120_000
/** Maximum number of queued counts, in all and per creator. */
const MAX_COUNTS = 20
const MAX_COUNTS_PER_CREATOR = 5
/** Maximum size of the states of all counted selections, and the size of one. */
const MAX_STATE_BYTES = 1_048_576
const STATE_BYTES = 500
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

/** State of the counts of one selection. The counts themselves are in the shared memory. */
type SelectionState<T> = {
  counting: Promise<CachedCount<T> | undefined> | undefined
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
  { log, heavyWork }: { log: Pick<FastifyBaseLogger, 'warn'>; heavyWork: Pick<HeavyWork, 'run'> },
) => {
  const reads = heavyReads.openDedicated({
    name: 'counts',
    max_connections: 1,
    timeout_ms: MAX_COUNT_MS,
  })
  let isClosed = false
  /** Creators of the running and queued counts, one entry per count. */
  const creators: string[] = []
  let nb_begun = 0

  const memory = createCountMemory()

  const begin = <T>(
    entry: SelectionState<T>,
    { key, creator_id }: { key: string; creator_id: string },
    count: Count<T>,
  ): void => {
    creators.push(creator_id)
    const rank = ++nb_begun
    // Further calls wait for the count, so it must not take the place of the call that begins it.
    const job = { kind: 'count', owner: creator_id, size: 1, is_detached: true } as const
    const began = performance.now()
    const run = async (): Promise<CachedCount<T> | undefined> => {
      const counted_at = new Date().toISOString()
      let value: CachedCount<T> | undefined
      try {
        const counted = await heavyWork.run(job, () => reads.run(({ db }) => count(db)))
        value = { ...counted, counted_at, rank }
        memory.set(key, { state_hash: counted.state_hash, value, bytes: countBytes(value) })
        // Counts above the size of the memory are not kept, so that another call would count them again.
        entry.has_failed = !memory.has(key)
      } catch (error) {
        entry.has_failed = true
        if (!isClosed) log.warn({ err: error }, 'background count of a selection failed')
      }
      const took = performance.now() - began
      const rest = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * took))
      entry.paused_until = performance.now() + rest
      entry.counting = undefined
      creators.splice(creators.indexOf(creator_id), 1)
      return value
    }
    entry.counting = run()
  }

  /**
   * Creates a function that returns the last count of a selection and queues a new count if the state has changed.
   * Counts with removed participants are not returned. Throws a 503 if the queue is full or the count failed.
   */
  const asking = <T>(kind: string) => {
    const entries = createLruCache<SelectionState<T>>(MAX_STATE_BYTES, () => STATE_BYTES)
    return (
      selection: string,
      {
        state_hash,
        removed,
        creator_id,
        is_waited_for,
      }: State & { creator_id: string; is_waited_for: boolean },
      count: Count<T>,
    ): { cached: CachedCount<T> | undefined } & Pick<SelectionState<T>, 'counting'> => {
      const key = countKey(`large ${kind}`, selection)
      const entry = entries.get(key) ?? {
        counting: undefined,
        paused_until: 0,
        has_failed: false,
      }
      entries.set(key, entry)
      let cached = memory.get(key)?.value as CachedCount<T> | undefined
      // A version without cached counts had no participants who could have been removed.
      if (cached?.removed.some((version) => !removed.includes(version))) {
        memory.delete(key)
        cached = undefined
        if (!entry.has_failed) entry.paused_until = 0
      }
      const isPauseOver =
        performance.now() >= entry.paused_until || (is_waited_for && !entry.has_failed)
      const isDue = cached?.state_hash !== state_hash && isPauseOver
      if (!entry.counting && entry.has_failed && !isDue) throw createCountTimeoutError()
      if (!entry.counting && isDue && !isClosed) {
        const nb_own = creators.filter((id) => id === creator_id).length
        if (creators.length >= MAX_COUNTS || nb_own >= MAX_COUNTS_PER_CREATOR) throw unavailable(10)
        begin(entry, { key, creator_id }, count)
      }
      return { cached, counting: entry.counting }
    }
  }

  return {
    asking,
    /** Memory of all counts, which the counts that calls wait for share. */
    memory,
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
export const createLargeCounts = <T>(background: BackgroundCounts, kind: string) => {
  const askFor = background.asking<T>(kind)
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
      const { cached, counting } = askFor(
        key,
        { state_hash, removed, creator_id, is_waited_for: !is_async },
        count,
      )
      if (cached?.state_hash === state_hash || !counting || is_async) return cached
      let counted: typeof cached
      const waiting = counting.then((value) => {
        counted = value
      })
      await settleWithin(asked_at + WAIT_MS - performance.now(), waiting)
      return counted ?? cached
    }
    /** Returns true if the counts cover this state, or were begun after the call. */
    const isExact = (last: Last): boolean =>
      last !== undefined && (last.state_hash === state_hash || last.rank > nb_begun_before)
    let cached = await readCount()
    // The running count may have covered the previous state, so the next count is awaited too.
    if (!is_async && !isExact(cached)) cached = await readCount()
    if (cached && isExact(cached)) return { value: cached.value }
    if (!is_async) throw createCountTimeoutError()
    return { value: cached?.value, as_of: { counted_at: cached?.counted_at ?? null } }
  }
}
