import type { api } from '#contract/api.ts'
import type { Participant } from '#contract/statistics.ts'
import { questionStats, type TakenVersion } from '#domain/statistics.ts'
import { readReplies } from '#domain/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import type { Handlers } from '#server/http/mount.ts'
import { readTogether } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { readCursor, writeCursor } from './cursor.ts'
import {
  listChoiceCounts,
  listFrequentTexts,
  listResponses,
  listTakenVersions,
  type StoredResponse,
} from './statistics.store.ts'

/** Handlers of contract/statistics.ts. Every figure comes from one state of the database. */
export const statisticsHandlers = ({ db }: { db: Db }): Handlers<typeof api.statistics> => ({
  responses: async ({ id: quiz_id, limit, cursor }, creator) =>
    readTogether(db, async (read) => {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      await loadQuiz(read, { quiz_id, creator_id: creator.id })
      const versions = await listTakenVersions(read, quiz_id)
      const stats = questionStats(
        versions,
        await listChoiceCounts(read, quiz_id),
        await listFrequentTexts(read, quiz_id, openQuestions(versions)),
      )
      const responses = await listResponses(read, quiz_id, { after, limit: limit + 1 })
      const page = responses.slice(0, limit)
      const last = page.at(-1)
      return {
        stats: Object.fromEntries(stats),
        details: page.map((response) => participantOf(response, versions)),
        next_cursor: last && responses.length > limit ? writeCursor(last) : null,
      }
    }),
})

/** The ids of the questions that take text, each once. */
const openQuestions = (versions: readonly TakenVersion[]): string[] => [
  ...new Set(
    versions
      .flatMap(({ snapshot }) => snapshot.questions)
      .filter(({ type }) => type !== 'multiple_choice')
      .map(({ id }) => id),
  ),
]

/** A participant in the words of the version they took. */
const participantOf = (
  response: StoredResponse,
  versions: readonly TakenVersion[],
): Participant => {
  const { participant_uuid, created_at, email, version, result_position } = response
  const taken = versions.find((candidate) => candidate.version === version)
  if (!taken) throw new Error(`Version ${version} of a stored response is missing`)
  const result = result_position === null ? undefined : taken.snapshot.results[result_position]
  return {
    participant_uuid,
    created_at,
    email,
    final_result_name: result?.name ?? null,
    answers: readReplies(taken.snapshot, response),
  }
}
