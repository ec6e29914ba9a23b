import type { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import type { Handlers } from '#server/http/mount.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { announceRemovals, readRetention, writeRetention } from './retention.store.ts'

/** Handlers of contract/retention.ts. */
export const retentionHandlers = ({ db }: { db: Db }): Handlers<typeof api.retention> => ({
  get: async ({ id: quiz_id }, { id: creator_id }) => {
    await loadQuiz(db, { quiz_id, creator_id })
    return readRetention(db, quiz_id)
  },

  set: ({ id: quiz_id, body: { months } }, { id: creator_id }) =>
    db.transaction().execute(async (save) => {
      await loadQuiz(save, { quiz_id, creator_id }, 'lock')
      await writeRetention(save, quiz_id, months)
      await announceRemovals(save, quiz_id)
      return readRetention(save, quiz_id)
    }),
})
