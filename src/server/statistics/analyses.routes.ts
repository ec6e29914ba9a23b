import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import { unavailable } from '#server/http/errors.ts'
import { mount } from '#server/http/mount.ts'
import { createLimit } from '#server/runtime/limit.ts'
import { judgePublished } from './judge-questions.ts'
import { replayDraft } from './replay-draft.ts'

/**
 * Serves contract/replay.ts and contract/question-quality.ts: one of them at a time, which takes most of a processor for as
 * long as it lasts.
 */
export const mountAnalyses = (app: FastifyInstance, { db }: { db: Db }): void => {
  const limit = createLimit({ at_once: 1, most_waiting: 10, refusal: unavailable })
  const replay = {
    get: ({ id: quiz_id }: { id: string }, { id: creator_id }: { id: string }) =>
      limit(() => replayDraft(db, { quiz_id, creator_id })),
  }
  const questionQuality = {
    get: ({ id: quiz_id }: { id: string }, { id: creator_id }: { id: string }) =>
      limit(() => judgePublished(db, { quiz_id, creator_id })),
  }
  mount(app, api.replay, replay)
  mount(app, api.questionQuality, questionQuality)
}
