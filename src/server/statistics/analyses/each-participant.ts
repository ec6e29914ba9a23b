import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { findVersions } from '#server/quizzes/versions.store.ts'
import { createLruCache, type LruCache } from '#server/runtime/caches.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import {
  type Cursor,
  listResponses,
  type StoredResponse,
} from '#server/statistics/selection/responses.store.ts'

/** Maximum number of participants to read; only the newest are read above it. */
export const MAX_READ_PARTICIPANTS = 20_000
const ROWS_PER_PAGE = 1_000
/** Number of versions per query, and number of versions cached for the next page. */
const VERSIONS_AT_ONCE = 10
const VERSIONS_KEPT = 50

type Visit = (row: StoredResponse) => void

/**
 * Calls a visitor function for each of the newest participants of a quiz. `prepare` creates the visitor of a
 * version. Memory holds one page of participants and some versions, and the event loop is yielded to in
 * between.
 */
export const eachParticipant = async (
  read: Db,
  { quiz_id, signal }: { quiz_id: string; signal?: AbortSignal | undefined },
  prepare: (taken: Snapshot) => Visit,
): Promise<void> => {
  const kept = createLruCache<Visit>(VERSIONS_KEPT)
  const pause = yieldToEventLoop({ signal })
  for await (const page of pagesOf(read, quiz_id))
    for (const rows of inVersionBatches(page)) {
      const visits = await visitsOf(read, { quiz_id, prepare, kept }, rows)
      for (const row of rows) {
        const visit = visits.get(row.version)
        if (!visit) throw new Error(`Version ${row.version} of a stored response is missing`)
        visit(row)
        await pause()
      }
    }
}

/** Yields the newest participants page by page. */
async function* pagesOf(db: Db, quiz_id: string): AsyncGenerator<StoredResponse[]> {
  let after: Cursor | undefined
  for (let nb_read = 0; nb_read < MAX_READ_PARTICIPANTS; nb_read += ROWS_PER_PAGE) {
    const page = await listResponses(db, quiz_id, {
      ...{ condition: undefined, after, limit: ROWS_PER_PAGE },
    })
    yield page
    if (page.length < ROWS_PER_PAGE) return
    after = page.at(-1)
  }
}

/** Splits a page into batches that each contain few versions; usually there is one batch. */
const inVersionBatches = (page: readonly StoredResponse[]): StoredResponse[][] => {
  const versions = [...new Set(page.map(({ version }) => version))]
  const batchOf = new Map(
    versions.map((version, index) => [version, Math.floor(index / VERSIONS_AT_ONCE)]),
  )
  return [...Map.groupBy(page, ({ version }) => batchOf.get(version)).values()]
}

/** Returns the visitor of each version in a batch. Versions that are not cached are read in one query. */
const visitsOf = async (
  db: Db,
  {
    quiz_id,
    prepare,
    kept,
  }: { quiz_id: string; prepare: (taken: Snapshot) => Visit; kept: LruCache<Visit> },
  rows: readonly StoredResponse[],
): Promise<Map<number, Visit>> => {
  const visits = new Map<number, Visit>()
  const missing: number[] = []
  for (const version of new Set(rows.map((row) => row.version))) {
    const known = kept.get(`${version}`)
    if (known) visits.set(version, known)
    else missing.push(version)
  }
  const found = missing.length > 0 ? await findVersions(db, quiz_id, missing) : []
  for (const { version, snapshot } of found) {
    const visit = prepare(snapshot)
    kept.set(`${version}`, visit)
    visits.set(version, visit)
  }
  return visits
}
