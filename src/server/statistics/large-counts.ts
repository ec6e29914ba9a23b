import { drainWithin } from '#server/runtime/drain-within.ts'
import type { BackgroundCounts, State } from './background-counts.ts'
import { tooMany } from './read-view.ts'

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
        await drainWithin(asked_at + PATIENCE_MS - performance.now(), entry.counting)
      return entry.kept
    }
    /** What was begun since the call is of its participants, or of those who came meanwhile too. */
    const isExact = (kept: Last): boolean =>
      kept !== undefined && (kept.state_hash === state_hash || kept.began >= asked_at)
    let kept = await look()
    // The count under way may have been of those before.
    if (!is_async && !isExact(kept)) kept = await look()
    if (kept && isExact(kept)) return { value: kept.value }
    if (!is_async) throw tooMany()
    return { value: kept?.value, as_of: { counted_at: kept?.counted_at ?? null } }
  }
}
