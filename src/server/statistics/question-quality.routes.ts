import type { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import { unavailable } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { createLimit } from '#server/runtime/limit.ts'
import { judgePublished } from './judge-questions.ts'

/** Handlers of contract/question-quality.ts: one judgement at a time, which takes most of a processor. */
export const questionQualityHandlers = ({
  db,
}: {
  db: Db
}): Handlers<typeof api.questionQuality> => {
  const limit = createLimit({ at_once: 1, most_waiting: 10, refusal: unavailable })
  return {
    get: ({ id: quiz_id }, { id: creator_id }) =>
      limit(() => judgePublished(db, { quiz_id, creator_id })),
  }
}
