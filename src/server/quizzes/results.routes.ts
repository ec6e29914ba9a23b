import type { api } from '#contract/api.ts'
import { addResult, changeResult, removeResult, replaceResults } from '#domain/editing/edits.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/edge/errors.ts'
import type { Handlers } from '#server/http/edge/mount.ts'
import { uuidv7 } from '#server/runtime/uuid.ts'
import { listResults } from './draft.store.ts'
import { createIds } from './edited-questions.ts'
import { loadQuiz, loadQuizOfResult } from './quizzes.store.ts'
import { editDraft } from './save-changes.ts'

/** Handlers of contract/results.ts. */
export const resultsHandlers = ({ db }: { db: Db }): Handlers<typeof api.results> => {
  /** Applies an edit to the draft and returns its results after the edit. */
  const edit = (
    editing: Parameters<typeof editDraft>[1],
    change: (draft: Draft) => Draft,
  ): ReturnType<typeof listResults> =>
    db.transaction().execute(async (transaction) => {
      await editDraft(transaction, editing, change)
      return listResults(transaction, editing.quiz_id)
    })

  return {
    list: async ({ id }, creator) => {
      await loadQuiz(db, { quiz_id: id, creator_id: creator.id })
      return { results: await listResults(db, id) }
    },

    create: async ({ id: quiz_id, body }, creator) => {
      const id = body.id ?? uuidv7()
      const result = { ...body, id, description: body.description ?? null }
      const results = await edit({ quiz_id, creator_id: creator.id }, (draft) =>
        addResult(draft, result),
      )
      return { result: existing(results.find((row) => row.id === id)) }
    },

    update: async ({ resultId: result_id, body }, creator) => {
      const creator_id = creator.id
      const quiz_id = await loadQuizOfResult(db, { result_id, creator_id })
      const results = await edit({ quiz_id, creator_id }, (draft) =>
        changeResult(draft, result_id, body),
      )
      return { result: existing(results.find(({ id }) => id === result_id)) }
    },

    remove: async ({ id: quiz_id, resultId }, creator) => {
      await edit({ quiz_id, creator_id: creator.id }, (draft) => removeResult(draft, resultId))
      return undefined
    },

    saveAll: async ({ id: quiz_id, body: { results: edited, based_on } }, creator) => {
      const { stored, id_map } = createIds()
      const list = edited.map(({ id, description = null, ...result }) => ({
        ...result,
        id: stored(id),
        description,
      }))
      const results = await edit({ quiz_id, creator_id: creator.id, based_on }, (draft) =>
        replaceResults(draft, list),
      )
      return { results, id_map }
    },
  }
}

const existing = <T>(found: T | undefined): T => {
  if (found === undefined) throw notFound('Résultat introuvable')
  return found
}
