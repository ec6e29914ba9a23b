import { createReplayTally, type Replay } from '#domain/publishing/replay.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { MAX_EVENT_LOOP_SIZE } from '#server/heavy-work/job-limits.ts'
import { listContent } from '#server/quizzes/draft.store.ts'
import { loadPublished } from '#server/quizzes/quizzes.store.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import type { StoredResponse } from '#server/statistics/selection/responses.store.ts'
import { type ReplayInput, replayParticipants } from '#server/version-tasks/replay-participants.ts'
import { forEachPage } from './each-participant.ts'

/** Sizes of replies and of versions from which a piece takes no more participants or versions. */
const MAX_ROWS_SIZE = 1_048_576
const MAX_VERSIONS_SIZE = 4_194_304
/** Maximum size in memory of the JSON of versions that is kept for the next page. */
const MAX_KEPT_BYTES = 33_554_432

/** Participants that one call of a thread replays, with the sizes of their replies and versions. */
type Piece = { groups: ReplayInput['groups']; rows_size: number; versions_size: number }

/** Replays the newest participants of a quiz on its draft, in one database snapshot. */
export type ReplayDraft = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  signal?: AbortSignal,
) => Promise<Replay & { nb_participants: number }>

/**
 * Creates the function that replays participants: piece by piece, large pieces in a thread. Throws a 404 if the quiz is
 * absent, belongs to another creator or was never published, and the reason of an aborted `signal`.
 */
export const createReplayDraft =
  (heavyWork: Pick<HeavyWork, 'runInThread'>): ReplayDraft =>
  (db, owned, signal) =>
    readInOneSnapshot(
      db,
      async (read) => {
        const { quiz_id, creator_id: owner } = owned
        const { quiz, quiz_mode } = await loadPublished(read, owned)
        const pause = yieldToEventLoop({ signal })
        const draft = takeSnapshot({ quiz, quiz_mode, ...(await listContent(read, quiz_id)) })
        const tally = createReplayTally(draft)
        await pause()
        const draft_json = JSON.stringify(draft)
        const findJson = createJsonFinder(read, quiz_id, pause)
        for await (const page of forEachPage(read, quiz_id))
          for await (const { groups, rows_size, versions_size } of piecesOf(page, findJson)) {
            await pause()
            const input = { draft_json, groups }
            const is_quick = draft_json.length + versions_size + rows_size <= MAX_EVENT_LOOP_SIZE
            const job = { kind: 'replay', owner, size: page.length, signal } as const
            tally.merge(
              is_quick
                ? replayParticipants(input)
                : await heavyWork.runInThread(job, 'replay_participants', input),
            )
          }
        return { nb_participants: quiz.nb_responses, ...tally.read() }
      },
      signal,
    )

type FindJson = (version: number) => Promise<string>

/** Creates the function that finds the JSON of versions. */
const createJsonFinder = (read: Db, quiz_id: string, pause: () => Promise<void>): FindJson => {
  const kept = createLruCache<string>(MAX_KEPT_BYTES, ({ length }) => 2 * length)
  return async (version) => {
    const known = kept.get(`${version}`)
    if (known) return known
    const snapshot = await findCachedVersion(read, quiz_id, version)
    if (!snapshot) throw new Error(`Version ${version} of a stored response is missing`)
    await pause()
    const json = JSON.stringify(snapshot)
    kept.set(`${version}`, json)
    return json
  }
}

/** Divides a page of participants into pieces, so that moving a piece to a thread takes some milliseconds. */
async function* piecesOf(page: StoredResponse[], findJson: FindJson): AsyncGenerator<Piece> {
  let piece: Piece = { groups: [], rows_size: 0, versions_size: 0 }
  for (const [version, participants] of Map.groupBy(page, ({ version }) => version)) {
    const snapshot_json = await findJson(version)
    let group: Piece['groups'][number] | undefined
    for (const { choices, texts, result_position, dimension_percents } of participants) {
      const has_many_versions = !group && piece.versions_size >= MAX_VERSIONS_SIZE
      if (has_many_versions || piece.rows_size >= MAX_ROWS_SIZE) {
        yield piece
        piece = { groups: [], rows_size: 0, versions_size: 0 }
        group = undefined
      }
      if (!group) {
        group = { snapshot_json, rows: [] }
        piece.groups.push(group)
        piece.versions_size += snapshot_json.length
      }
      group.rows.push({ choices, texts, result_position, dimension_percents })
      piece.rows_size += sizeOf({ choices, texts })
    }
  }
  if (piece.groups.length > 0) yield piece
}

/** Size of a stored choice in a message to a thread. */
const CHOICE_SIZE = 8

/** Returns about how large the replies of a participant are in a message to a thread. */
const sizeOf = ({ choices, texts }: Pick<StoredResponse, 'choices' | 'texts'>): number =>
  CHOICE_SIZE * choices.length +
  texts.reduce((sum, text) => sum + CHOICE_SIZE + (text?.length ?? 0), 0)
