import type { FastifyInstance, FastifyRequest } from 'fastify'
import { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import { unavailable } from '#server/http/errors.ts'
import { mount } from '#server/http/mount.ts'
import { signalOf } from '#server/http/within.ts'
import { createLimit } from '#server/runtime/limit.ts'
import { judgePublished } from './judge-questions.ts'
import { replayDraft } from './replay-draft.ts'

/** Replays and judgements under way; each takes as much of the processor as the event loop leaves it. */
const ANALYSIS_LIMIT = {
  ...{ at_once: 2, at_once_per_key: 1 },
  ...{ most_waiting: 20, most_waiting_per_key: 2 },
  refusal: unavailable,
}

type Analysis<T> = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  signal: AbortSignal,
) => Promise<T>

/** Serves contract/replay.ts and contract/question-quality.ts, the creators in turn. */
export const mountAnalyses = (app: FastifyInstance, { db }: { db: Db }): void => {
  const limit = createLimit(ANALYSIS_LIMIT)
  const inTurn =
    <T>(analyse: Analysis<T>) =>
    (
      { id: quiz_id }: { id: string },
      { id: creator_id }: { id: string },
      request: FastifyRequest,
    ): Promise<T> => {
      const signal = signalOf(request)
      return limit({ key: creator_id, signal }, () => analyse(db, { quiz_id, creator_id }, signal))
    }
  mount(app, api.replay, { get: inTurn(replayDraft) })
  mount(app, api.questionQuality, { get: inTurn(judgePublished) })
}
