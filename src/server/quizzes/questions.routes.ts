import type { api } from '#contract/api.ts'
import { insertItem, moveItem, removeItem } from '#domain/arrange.ts'
import { itemsInOrder, placeOf } from '#domain/pages.ts'
import type { Question } from '#domain/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { listQuestions, readTogether } from './draft.store.ts'
import { editContent, editQuestion, loadQuestion, withQuestion } from './edit-content.ts'
import { createIds } from './id-map.ts'
import { loadQuiz } from './quizzes.store.ts'
import {
  type Content,
  readAnswer,
  readQuestion,
  readUnified,
  saveQuestions,
} from './save-questions.ts'

/** Handlers of contract/questions.ts. */
export const questionsHandlers = ({ db }: { db: Db }): Handlers<typeof api.questions> => ({
  list: async ({ id }, creator) => {
    await loadQuiz(db, { quiz_id: id, creator_id: creator.id })
    return { questions: await listQuestions(db, id) }
  },

  unified: async ({ id: quiz_id }, creator) =>
    readTogether(db, async (read) => {
      const { quiz_mode } = await loadQuiz(read, { quiz_id, creator_id: creator.id })
      return readUnified(read, quiz_id, quiz_mode)
    }),

  saveDraft: async ({ id: quiz_id, body }, creator) =>
    db
      .transaction()
      .execute((change) => saveQuestions(change, { quiz_id, creator_id: creator.id }, body)),

  create: async ({ id: quiz_id, body }, creator) => {
    const index = Number.POSITIVE_INFINITY
    const { stored: idOf, id_map } = createIds()
    const question = readQuestion(quiz_id, body, { index, idOf })
    const { page_number } = question
    const content = await editContent(db, { quiz_id, creator_id: creator.id }, (before) => {
      if (before.questions.some(({ id }) => id === question.id)) throw alreadyThere()
      return insertItem(
        before,
        { kind: 'question', question },
        { page_number, index: indexOnPage(before, page_number, body.global_position) },
      )
    })
    return { question: loadQuestion(content, question.id), id_map }
  },

  update: async ({ id: question_id, body }, creator) => {
    const question = await editQuestion(
      db,
      { question_id, creator_id: creator.id },
      (before, content) => {
        const changed = withQuestion(content, { ...before, text: body.text ?? before.text })
        if (body.page_number === undefined && body.global_position === undefined) return changed
        const page_number = body.page_number ?? before.page_number
        const others = removeItem(content, question_id)
        const index = indexOnPage(others, page_number, body.global_position)
        return moveItem(changed, question_id, { page_number, index })
      },
    )
    return { question: existing(question) }
  },

  remove: async ({ id: question_id }, creator) => {
    await editQuestion(db, { question_id, creator_id: creator.id }, (_question, content) =>
      removeItem(content, question_id),
    )
    return undefined
  },

  addAnswer: async ({ id: question_id, body }, creator) => {
    const { stored } = createIds()
    const id = stored(body.id)
    const question = await editQuestion(
      db,
      { question_id, creator_id: creator.id },
      (before, content) => {
        refuseUnlessMultipleChoice(before)
        if (before.answers.some((answer) => answer.id === id)) throw alreadyThere()
        const index = Math.min(body.position ?? before.answers.length, before.answers.length)
        const answer = readAnswer(question_id, { ...body, id }, { index, idOf: () => id })
        return withQuestion(content, {
          ...before,
          answers: before.answers.toSpliced(index, 0, answer).map(atItsRank),
        })
      },
    )
    const answer = existing(question).answers.find((candidate) => candidate.id === id)
    return { answer: existing(answer) }
  },

  saveAnswers: async ({ id: question_id, body }, creator) => {
    const { stored: idOf, id_map } = createIds()
    const answers = body.answers.map((answer, index) =>
      readAnswer(question_id, answer, { index, idOf }),
    )
    const question = await editQuestion(
      db,
      { question_id, creator_id: creator.id },
      (before, content) => {
        refuseUnlessMultipleChoice(before)
        return withQuestion(content, { ...before, answers })
      },
    )
    return { answers: existing(question).answers, id_map }
  },

  removeAnswer: async ({ id: question_id, answerId }, creator) => {
    await editQuestion(db, { question_id, creator_id: creator.id }, (before, content) => {
      existing(before.answers.find(({ id }) => id === answerId))
      const answers = before.answers.filter(({ id }) => id !== answerId).map(atItsRank)
      return withQuestion(content, { ...before, answers })
    })
    return undefined
  },
})

const alreadyThere = () => invalid('Cet élément existe déjà', 'id')

const existing = <T>(found: T | undefined): T => {
  if (found === undefined) throw notFound('Réponse introuvable')
  return found
}

const refuseUnlessMultipleChoice = ({ type }: Question): void => {
  if (type !== 'multiple_choice')
    throw invalid('Seule une question à choix multiple a des réponses', 'id')
}

const atItsRank = <T>(answer: T, position: number): T & { position: number } => ({
  ...answer,
  position,
})

/** Where on its page the item goes that wants this rank among all; last when it wants none. */
const indexOnPage = (
  content: Content,
  page_number: number,
  global_position = Number.POSITIVE_INFINITY,
): number =>
  itemsInOrder(content).filter(
    (item, rank) => placeOf(item).page_number === page_number && rank < global_position,
  ).length
