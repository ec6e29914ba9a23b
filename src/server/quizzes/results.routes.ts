import type { api } from '#contract/api.ts'
import { inResultOrder } from '#domain/snapshot.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { uuidv7 } from '#server/uuid.ts'
import { listResults } from './draft.store.ts'
import { loadQuiz, updateQuiz } from './quizzes.store.ts'
import { deleteResult, loadQuizOfResult, updateResult, writeResults } from './results.store.ts'
import { saveResults } from './save-results.ts'

/** Handlers of contract/results.ts. */
export const resultsHandlers = ({ db }: { db: Db }): Handlers<typeof api.results> => ({
  list: async ({ id }, creator) => {
    await loadQuiz(db, { quiz_id: id, creator_id: creator.id })
    return { results: await listResults(db, id) }
  },

  create: async ({ id: quiz_id, body }, creator) =>
    db.transaction().execute(async (change) => {
      await loadQuiz(change, { quiz_id, creator_id: creator.id }, 'lock')
      const results = await listResults(change, quiz_id)
      if (results.length >= LIMITS.results)
        throw invalid(`Un quiz a ${LIMITS.results} résultats au plus`)
      if (results.some(({ id }) => id === body.id)) throw invalid('Ce résultat existe déjà', 'id')
      const last = inResultOrder(results).at(-1)?.priority_order ?? -1
      const row = {
        id: body.id ?? uuidv7(),
        name: body.name,
        description: body.description ?? null,
        priority_order: body.priority_order ?? last + 1,
        min_score: null,
        max_score: null,
      }
      await writeResults(change, quiz_id, [row])
      await updateQuiz(change, quiz_id, {})
      return { result: await loadResult(change, quiz_id, row.id) }
    }),

  update: async ({ resultId: result_id, body }, creator) =>
    db.transaction().execute(async (change) => {
      const creator_id = creator.id
      const quiz_id = await loadQuizOfResult(change, { result_id, creator_id })
      await loadQuiz(change, { quiz_id, creator_id }, 'lock')
      await updateResult(change, { quiz_id, result_id }, body)
      await updateQuiz(change, quiz_id, {})
      return { result: await loadResult(change, quiz_id, result_id) }
    }),

  remove: async ({ id: quiz_id, resultId: result_id }, creator) =>
    db.transaction().execute(async (change) => {
      await loadQuiz(change, { quiz_id, creator_id: creator.id }, 'lock')
      await deleteResult(change, { quiz_id, result_id })
      await updateQuiz(change, quiz_id, {})
      return undefined
    }),

  saveAll: async ({ id: quiz_id, body }, creator) =>
    db
      .transaction()
      .execute((change) => saveResults(change, { quiz_id, creator_id: creator.id }, body)),
})

const loadResult = async (db: Db, quiz_id: string, result_id: string) => {
  const result = (await listResults(db, quiz_id)).find(({ id }) => id === result_id)
  if (!result) throw notFound('Résultat introuvable')
  return result
}
