import type { FastifyInstance, FastifyRequest } from 'fastify'
import { api } from '#contract/api.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { replyErrors } from '#domain/run/submission-checks.ts'
import {
  judgeQuestions,
  MIN_PARTICIPANTS_FOR_QUALITY,
  type QuestionQuality,
} from '#domain/statistics/question-quality.ts'
import { type Database, type Db, readInOneSnapshot } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { mount, signalOf } from '#server/http/edge/mount.ts'
import { loadPublished } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { forEachParticipant, MAX_READ_PARTICIPANTS } from './each-participant.ts'
import { createReplayDraft } from './replay-draft.ts'
import { countTextViews } from './text-views.ts'

type QualityReport = {
  /** True if only the newest participants were read. */
  is_newest: boolean
  /** Number of participants whose replies do not fit the published version. */
  nb_left_out: number
} & (
  | { quality: QuestionQuality }
  | {
      quality: null
      /** Reason for the missing report: the version has no score, or too few participants fit it. */
      reason: 'no_score' | 'too_few'
    }
)

/**
 * Evaluates the questions of the last published version with all participants whose replies fit it, in one
 * database snapshot. Throws a 404 if the quiz is absent, belongs to another creator or was never published.
 * Throws the reason of an aborted `signal`.
 */
export const judgePublishedQuestions = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  signal?: AbortSignal,
): Promise<QualityReport> =>
  readInOneSnapshot(
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
      await forEachParticipant(read, { quiz_id, signal }, (answered) => {
        const offered = new Set(
          answered.questions.flatMap(({ answers }) => answers.map(({ id }) => id)),
        )
        return (row) => {
          const replies = unpackReplies(answered, row)
          if (replyErrors(snapshot, replies).length > 0) nb_left_out++
          else judging.add(replies, (answer_id) => offered.has(answer_id))
        }
      })
      const quality = judging.read()
      const about = { is_newest: quiz.nb_responses > MAX_READ_PARTICIPANTS, nb_left_out }
      return quality.nb_participants < MIN_PARTICIPANTS_FOR_QUALITY
        ? { ...about, quality: null, reason: 'too_few' }
        : { ...about, quality }
    },
    signal,
  )

type Analysis<T> = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  signal: AbortSignal,
) => Promise<T>

/** Mounts the calls `replay`, `questionQuality` and `textViews`. */
export const mountAnalyses = (
  app: FastifyInstance,
  {
    heavyReads,
    heavyWork,
  }: Pick<Database, 'heavyReads'> & { heavyWork: Pick<HeavyWork, 'run' | 'runInThread'> },
): void => {
  const inTurn =
    <T>(kind: 'replay' | 'analysis', analyse: Analysis<T>) =>
    (
      { id: quiz_id }: { id: string },
      { id: creator_id }: { id: string },
      request: FastifyRequest,
    ): Promise<T> => {
      const signal = signalOf(request)
      const job = { kind, owner: creator_id, size: 1, signal }
      return heavyWork.run(job, (signal) =>
        heavyReads.run(({ db }) => analyse(db, { quiz_id, creator_id }, signal)),
      )
    }
  mount(app, api.replay, { get: inTurn('replay', createReplayDraft(heavyWork)) })
  mount(app, api.questionQuality, { get: inTurn('analysis', judgePublishedQuestions) })
  mount(app, api.textViews, {
    get: ({ counts, ...input }, user, request) => {
      const has_counts = counts === '1'
      const analyse: Analysis<Awaited<ReturnType<typeof countTextViews>>> = (read, owned, signal) =>
        countTextViews(read, owned, { has_counts, signal })
      return inTurn('analysis', analyse)(input, user, request)
    },
  })
}
