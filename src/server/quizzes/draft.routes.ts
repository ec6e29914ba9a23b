import { randomUUIDv7 } from 'node:crypto'
import type { api } from '#contract/api.ts'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import { hasNoChanges } from '#domain/editing/changes.ts'
import { OPENING_NAMES } from '#domain/editing/draft-fields.ts'
import {
  addAnswer,
  addQuestion,
  addResult,
  applySave,
  changeQuestion,
  changeResult,
  removeAnswer,
  removeQuestion,
  removeResult,
  replaceAnswers,
  replaceContent,
  replaceResults,
} from '#domain/editing/edits.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { notFound } from '#server/http/edge/errors.ts'
import type { Handlers } from '#server/http/edge/mount.ts'
import { listContent, listQuestions, listResults, loadDraft } from './draft.store.ts'
import { createIds, readAnswer, readContent, readQuestion } from './edited-questions.ts'
import type { QuizzesDependencies } from './quizzes.routes.ts'
import { loadQuiz, loadQuizOfQuestion, loadQuizOfResult } from './quizzes.store.ts'
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
      const id = body.id ?? randomUUIDv7()
      const result = { ...body, id, description: body.description ?? null }
      const results = await edit({ quiz_id, creator_id: creator.id }, (draft) =>
        addResult(draft, result),
      )
      return { result: resultOrThrow(results.find((row) => row.id === id)) }
    },

    update: async ({ resultId: result_id, body }, creator) => {
      const creator_id = creator.id
      const quiz_id = await loadQuizOfResult(db, { result_id, creator_id })
      const results = await edit({ quiz_id, creator_id }, (draft) =>
        changeResult(draft, result_id, body),
      )
      return { result: resultOrThrow(results.find(({ id }) => id === result_id)) }
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

const resultOrThrow = <T>(found: T | undefined): T => {
  if (found === undefined) throw notFound('Résultat introuvable')
  return found
}

/** Handlers of contract/questions.ts. */
export const questionsHandlers = ({ db }: { db: Db }): Handlers<typeof api.questions> => {
  /** Applies an edit to the draft that contains the question, and returns the questions of the quiz after the edit. */
  const edit = async (
    { question_id, creator_id }: { question_id: string; creator_id: string },
    change: (draft: Draft) => Draft,
  ): ReturnType<typeof listQuestions> => {
    const quiz_id = await loadQuizOfQuestion(db, { question_id, creator_id })
    return db.transaction().execute(async (transaction) => {
      await editDraft(transaction, { quiz_id, creator_id }, change)
      return listQuestions(transaction, quiz_id)
    })
  }

  return {
    list: async ({ id }, creator) => {
      await loadQuiz(db, { quiz_id: id, creator_id: creator.id })
      return { questions: await listQuestions(db, id) }
    },

    unified: async ({ id: quiz_id }, creator) =>
      readInOneSnapshot(db, async (read) => {
        const { quiz_mode } = await loadQuiz(read, { quiz_id, creator_id: creator.id })
        return readUnified(read, quiz_id, quiz_mode)
      }),

    saveDraft: async ({ id: quiz_id, body }, creator) => {
      const { content, id_map } = readContent(quiz_id, body)
      const editing = { quiz_id, creator_id: creator.id, based_on: body.based_on }
      return db.transaction().execute(async (change) => {
        const { quiz_mode } = await editDraft(change, editing, (draft) => {
          const after = replaceContent(draft, content, body.score_thresholds)
          const mode = modeAfterEdit(draft.quiz_mode, after.questions, body.quiz_mode)
          return { ...after, quiz_mode: mode }
        })
        return { ...(await readUnified(change, quiz_id, quiz_mode)), id_map }
      })
    },

    create: async ({ id: quiz_id, body }, creator) => {
      const { stored: idOf, id_map } = createIds()
      const index = Number.POSITIVE_INFINITY
      const question = readQuestion(quiz_id, body, { index, idOf })
      const editing = { quiz_id, creator_id: creator.id }
      return db.transaction().execute(async (change) => {
        await editDraft(change, editing, (draft) => addQuestion(draft, question, body))
        return { question: itemWithId(await listQuestions(change, quiz_id), question.id), id_map }
      })
    },

    update: async ({ id: question_id, body }, creator) => {
      const questions = await edit({ question_id, creator_id: creator.id }, (draft) =>
        changeQuestion(draft, question_id, body),
      )
      return { question: itemWithId(questions, question_id) }
    },

    remove: async ({ id: question_id }, creator) => {
      await edit({ question_id, creator_id: creator.id }, (draft) =>
        removeQuestion(draft, question_id),
      )
      return undefined
    },

    addAnswer: async ({ id: question_id, body }, creator) => {
      const { stored: idOf } = createIds()
      const answer = readAnswer(question_id, body, { index: 0, idOf })
      const questions = await edit({ question_id, creator_id: creator.id }, (draft) =>
        addAnswer(draft, answer, body.position),
      )
      return { answer: itemWithId(itemWithId(questions, question_id).answers, answer.id) }
    },

    saveAnswers: async ({ id: question_id, body }, creator) => {
      const { stored: idOf, id_map } = createIds()
      const answers = body.answers.map((answer, index) =>
        readAnswer(question_id, answer, { index, idOf }),
      )
      const questions = await edit({ question_id, creator_id: creator.id }, (draft) =>
        replaceAnswers(draft, question_id, answers),
      )
      return { answers: itemWithId(questions, question_id).answers, id_map }
    },

    removeAnswer: async ({ id: question_id, answerId }, creator) => {
      await edit({ question_id, creator_id: creator.id }, (draft) =>
        removeAnswer(draft, question_id, answerId),
      )
      return undefined
    },
  }
}

/** Returns all data of the questions screen (product 13.2). The caller has checked the owner. */
const readUnified = async (db: Db, quiz_id: string, quiz_mode: QuizMode) => {
  const content = await listContent(db, quiz_id)
  const score_thresholds = Object.fromEntries(
    content.results.map(({ id, min_score, max_score }) => [id, { min_score, max_score }]),
  )
  return { ...content, quiz_mode, score_thresholds }
}

/** Returns the row with this id. Throws a 404 if there is none. */
const itemWithId = <Row extends { id: string }>(rows: readonly Row[], id: string): Row => {
  const row = rows.find((candidate) => candidate.id === id)
  if (!row) throw notFound('Question introuvable')
  return row
}

/** Handlers of contract/drafts.ts. */
export const draftsHandlers = ({
  db,
  onChange,
  forgetSlug,
}: Pick<QuizzesDependencies, 'db' | 'onChange' | 'forgetSlug'>): Handlers<typeof api.drafts> => ({
  get: async ({ id: quiz_id }, creator) => {
    const { published_version: _, ...draft } = await readInOneSnapshot(db, (read) =>
      loadDraft(read, { quiz_id, creator_id: creator.id }),
    )
    return draft
  },

  save: async ({ id: quiz_id, body: { based_on, ...changes } }, creator) => {
    const saved = await db
      .transaction()
      .execute((change) =>
        editDraft(change, { quiz_id, creator_id: creator.id, based_on }, (draft) =>
          hasNoChanges(changes) ? draft : applySave(draft, changes),
        ),
      )
    if (changes.quiz.slug) forgetSlug(changes.quiz.slug)
    if (OPENING_NAMES.some((name) => changes.quiz[name] !== undefined)) await onChange(quiz_id)
    return saved
  },
})
