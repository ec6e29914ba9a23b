import { FEWEST_JUDGES, judgeQuestions, type QuestionQuality } from '#domain/question-quality.ts'
import { replyErrors } from '#domain/reply-errors.ts'
import { unpackReplies } from '#domain/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { readTogether } from '#server/quizzes/draft.store.ts'
import { loadPublished } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { eachParticipant, MOST_READ } from './each-participant.ts'

type Judgement = {
  /** Whether only the newest participants were read, as there are too many. */
  is_newest: boolean
  /** Participants of versions before whose replies do not fit the published one. */
  nb_left_out: number
} & (
  | { quality: QuestionQuality }
  | {
      quality: null
      /** Why there is none: the version counts no points, or too few participants fit it. */
      reason: 'no_score' | 'too_few'
    }
)

/**
 * Judges the questions of the version that a creator's quiz was published in last, by the participants whose replies fit
 * it, whatever version they took; on one state of the database. 404 when the quiz is absent, another's or was never
 * published. Throws the reason of `signal` once it is aborted.
 */
export const judgePublished = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  signal?: AbortSignal,
): Promise<Judgement> =>
  readTogether(
    db,
    async (read) => {
      const { quiz_id } = owned
      const { quiz, published_version } = await loadPublished(read, owned)
      const snapshot = await findVersion(read, quiz_id, published_version ?? 0)
      if (!snapshot) throw new Error(`Version ${published_version} of ${quiz_id} is missing`)
      if (snapshot.quiz.type !== 'quiz' || snapshot.quiz_mode !== 'score')
        return { is_newest: false, nb_left_out: 0, quality: null, reason: 'no_score' }
      const judging = judgeQuestions(snapshot)
      let nb_left_out = 0
      await eachParticipant(read, { quiz_id, signal }, (taken) => {
        const offered = new Set(
          taken.questions.flatMap(({ answers }) => answers.map(({ id }) => id)),
        )
        return (row) => {
          const replies = unpackReplies(taken, row)
          if (replyErrors(snapshot, replies).length > 0) nb_left_out++
          else judging.add(replies, (answer_id) => offered.has(answer_id))
        }
      })
      const quality = judging.read()
      const about = { is_newest: quiz.nb_responses > MOST_READ, nb_left_out }
      return quality.nb_participants < FEWEST_JUDGES
        ? { ...about, quality: null, reason: 'too_few' }
        : { ...about, quality }
    },
    signal,
  )
