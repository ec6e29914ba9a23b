import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import {
  type Cursor,
  listResponses,
  type StoredResponse,
} from '#server/statistics/selection/responses.store.ts'

/** Maximum number of participants to read; only the newest are read above it. */
export const MAX_READ_PARTICIPANTS = 20_000
const ROWS_PER_PAGE = 1_000
/** Maximum size in memory of the versions that are kept for the next page. */
const MAX_KEPT_BYTES = 33_554_432

type Visit = (row: StoredResponse) => void
/** Visitor of a version with the size of its content in memory. */
type SizedVisit = { visit: Visit; bytes: number }

/**
 * Calls a visitor function for each of the newest participants of a quiz. `prepare` creates the visitor of a
 * version. Memory holds one page of participants and some versions, and the event loop is yielded to in
 * between.
 */
export const forEachParticipant = async (
  read: Db,
  { quiz_id, signal }: { quiz_id: string; signal?: AbortSignal | undefined },
  prepare: (answered: Snapshot) => Visit,
): Promise<void> => {
  const kept = createLruCache<SizedVisit>(MAX_KEPT_BYTES, ({ bytes }) => bytes)
  const pause = yieldToEventLoop({ signal })
  const visitOf = async (version: number): Promise<Visit> => {
    const known = kept.get(`${version}`)
    if (known) return known.visit
    const snapshot = await findCachedVersion(read, quiz_id, version)
    if (!snapshot) throw new Error(`Version ${version} of a stored response is missing`)
    const visit = prepare(snapshot)
    kept.set(`${version}`, { visit, bytes: measureHeapBytes(snapshot) })
    await pause()
    return visit
  }
  for await (const page of forEachPage(read, quiz_id))
    for (const [version, rows] of Map.groupBy(page, (row) => row.version)) {
      const visit = await visitOf(version)
      for (const row of rows) {
        visit(row)
        await pause()
      }
    }
}

/** Yields the newest participants of a quiz page by page. */
export async function* forEachPage(db: Db, quiz_id: string): AsyncGenerator<StoredResponse[]> {
  let after: Cursor | undefined
  for (let nb_read = 0; nb_read < MAX_READ_PARTICIPANTS; nb_read += ROWS_PER_PAGE) {
    const page = await listResponses(db, quiz_id, {
      condition: undefined,
      after,
      limit: ROWS_PER_PAGE,
    })
    yield page
    if (page.length < ROWS_PER_PAGE) return
    after = page.at(-1)
  }
}
