import { createReplayTally, type Replay, replayOn } from '#domain/replay.ts'
import { type Snapshot, takeSnapshot } from '#domain/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { listContent, readTogether } from '#server/quizzes/draft.store.ts'
import { loadPublished } from '#server/quizzes/quizzes.store.ts'
import { findVersions } from '#server/quizzes/versions.store.ts'
import { type BoundedCache, boundedCache } from '#server/runtime/bounded-cache.ts'
import { takeTurns } from '#server/runtime/take-turns.ts'
import { type Cursor, listResponses, type StoredResponse } from './responses.store.ts'

/** Beyond it, the newest. */
export const MOST_REPLAYED = 20_000
const ROWS_PER_PAGE = 1_000
/** How many versions are read at once, and how many of them are kept for the next page. */
const VERSIONS_AT_ONCE = 10
const VERSIONS_KEPT = 50

type ReplayOne = ReturnType<typeof replayOn>

/**
 * Replays the participants of a creator's quiz on its draft, the newest first, on one state of the database; 404 when the
 * quiz is absent, another's or was never published. Memory holds a page of participants and some versions.
 */
export const replayDraft = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
): Promise<Replay & { nb_participants: number }> =>
  readTogether(db, async (read) => {
    const { quiz_id } = owned
    const { quiz, quiz_mode } = await loadPublished(read, owned)
    const next = takeSnapshot({ quiz, quiz_mode, ...(await listContent(read, quiz_id)) })
    const tally = createReplayTally(next)
    const kept = boundedCache<ReplayOne>(VERSIONS_KEPT)
    const pause = takeTurns()
    for await (const page of pagesOf(read, quiz_id))
      for (const rows of inVersionBatches(page)) {
        const replays = await replaysOf(read, { quiz_id, next, kept }, rows)
        for (const row of rows) {
          const replay = replays.get(row.version)
          if (!replay) throw new Error(`Version ${row.version} of a stored response is missing`)
          tally.add(replay(row))
          await pause()
        }
      }
    return { nb_participants: quiz.nb_responses, ...tally.read() }
  })

/** The newest participants, page by page. */
async function* pagesOf(db: Db, quiz_id: string): AsyncGenerator<StoredResponse[]> {
  let after: Cursor | undefined
  for (let nb_read = 0; nb_read < MOST_REPLAYED; nb_read += ROWS_PER_PAGE) {
    const page = await listResponses(db, quiz_id, {
      ...{ condition: undefined, after, limit: ROWS_PER_PAGE },
    })
    yield page
    if (page.length < ROWS_PER_PAGE) return
    after = page.at(-1)
  }
}

/** The rows of a page in batches of few versions: one, usually. */
const inVersionBatches = (page: readonly StoredResponse[]): StoredResponse[][] => {
  const versions = [...new Set(page.map(({ version }) => version))]
  const batchOf = new Map(
    versions.map((version, index) => [version, Math.floor(index / VERSIONS_AT_ONCE)]),
  )
  return [...Map.groupBy(page, ({ version }) => batchOf.get(version)).values()]
}

/** How the participants of each version of a batch are replayed; those that are not at hand are read in one query. */
const replaysOf = async (
  db: Db,
  { quiz_id, next, kept }: { quiz_id: string; next: Snapshot; kept: BoundedCache<ReplayOne> },
  rows: readonly StoredResponse[],
): Promise<Map<number, ReplayOne>> => {
  const replays = new Map<number, ReplayOne>()
  const missing: number[] = []
  for (const version of new Set(rows.map((row) => row.version))) {
    const known = kept.get(`${version}`)
    if (known) replays.set(version, known)
    else missing.push(version)
  }
  const found = missing.length > 0 ? await findVersions(db, quiz_id, missing) : []
  for (const { version, snapshot } of found) {
    const replay = replayOn(snapshot, next)
    kept.set(`${version}`, replay)
    replays.set(version, replay)
  }
  return replays
}
