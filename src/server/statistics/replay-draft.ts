import { createReplayTally, type Replay, replayOn } from '#domain/replay.ts'
import { takeSnapshot } from '#domain/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { listContent, readTogether } from '#server/quizzes/draft.store.ts'
import { loadPublished } from '#server/quizzes/quizzes.store.ts'
import { eachParticipant } from './each-participant.ts'

/**
 * Replays the participants of a creator's quiz on its draft, the newest first, on one state of the database; 404 when the
 * quiz is absent, another's or was never published. Throws the reason of `signal` once it is aborted.
 */
export const replayDraft = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  signal?: AbortSignal,
): Promise<Replay & { nb_participants: number }> =>
  readTogether(
    db,
    async (read) => {
      const { quiz_id } = owned
      const { quiz, quiz_mode } = await loadPublished(read, owned)
      const next = takeSnapshot({ quiz, quiz_mode, ...(await listContent(read, quiz_id)) })
      const tally = createReplayTally(next)
      await eachParticipant(read, { quiz_id, signal }, (taken) => {
        const replay = replayOn(taken, next)
        return (row) => tally.add(replay(row))
      })
      return { nb_participants: quiz.nb_responses, ...tally.read() }
    },
    signal,
  )
