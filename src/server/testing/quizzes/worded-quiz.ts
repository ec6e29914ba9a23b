import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import type { QuizPage } from '#domain/questionnaire/quiz.ts'

/** Ids of a quiz whose creator's texts contain neither « vous » nor « tu ». */
export type WordedQuiz = Awaited<ReturnType<typeof publishWordedQuiz>>

/**
 * Publishes a quiz with corrections after each page, and a report. Page 1 has a single choice, page 2 a choice of several
 * with « Autre… ». Page 3 has the typed fields and the email address.
 */
export const publishWordedQuiz = async (client: Client, page: Partial<QuizPage> = {}) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Les fruits', type: 'quiz' } })
  const { id } = quiz
  const [one, several, text, email, phone, number, date] = Array.from({ length: 7 }, () =>
    randomUUID(),
  ) as [string, string, string, string, string, string, string]
  const answers = ['Pomme', 'Poire', 'Prune'].map((name, rank) => ({
    id: randomUUID(),
    text: name,
    score: rank,
    is_correct: rank === 2,
  }))
  const boxes = answers.map((answer) => ({ ...answer, id: randomUUID() }))
  await client.results.saveAll({
    id,
    body: {
      results: [
        { id: randomUUID(), name: 'Vert' },
        { id: randomUUID(), name: 'Mûr' },
      ],
    },
  })
  const { results } = await client.results.list({ id })
  await client.questions.saveDraft({
    id,
    body: {
      quiz_mode: 'score',
      questions: [
        { id: one, text: 'Quel fruit ?', type: 'multiple_choice', answers },
        {
          id: several,
          text: 'Quels fruits ?',
          type: 'multiple_choice',
          page_number: 2,
          max_choices: 2,
          has_other: true,
          answers: boxes,
        },
        { id: text, text: 'Un mot', type: 'text', page_number: 3 },
        { id: email, text: 'Adresse', type: 'email', page_number: 3 },
        { id: phone, text: 'Téléphone', type: 'phone', page_number: 3 },
        { id: number, text: 'Combien', type: 'number', page_number: 3 },
        { id: date, text: 'Quand', type: 'date', page_number: 3 },
      ],
      score_thresholds: {
        [results[0]?.id ?? '']: { min_score: 0, max_score: 2 },
        [results[1]?.id ?? '']: { min_score: 3, max_score: 9 },
      },
    },
  })
  const shown = { shows_corrections: 'page', report: 'replies', allows_restart: true } as const
  await client.quizzes.update({ id, body: { ...shown, ...page } })
  await client.quizzes.publish({ id })
  return { id, one, several, text, email, phone, number, date, answers, boxes }
}

/** Returns the replies of a run through all pages. */
export const repliesToWordedQuiz = (quiz: WordedQuiz): Record<string, string> => ({
  [quiz.one]: quiz.answers[0]?.id ?? '',
  [quiz.several]: quiz.boxes[2]?.id ?? '',
  [quiz.text]: 'Oui',
  [quiz.email]: 'lea@exemple.fr',
  [quiz.phone]: '0612345678',
  [quiz.number]: '3',
  [quiz.date]: '2026-12-31',
})
