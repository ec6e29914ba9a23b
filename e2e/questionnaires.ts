import { randomUUID } from 'node:crypto'
import type { Client } from '../src/contract/client.ts'

/** Questionnaires that a test needs before it begins, made through the typed client. */

export type Ready = { id: string; question_id: string; result_ids: string[] }

/** A quiz by score: two answers on page 1, an email on page 2, two results; not published yet. */
export const readyScoreQuiz = async (client: Client, name = 'Quel rythme ?'): Promise<Ready> => {
  const { quiz } = await client.quizzes.create({ body: { name, type: 'quiz' } })
  const result_ids = [randomUUID(), randomUUID()]
  const [low = '', high = ''] = result_ids
  const { id } = quiz
  await client.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: 'Pas à pas', description: 'Une étape à la fois.' },
        { id: high, name: 'Grand saut' },
      ],
    },
  })
  const question_id = randomUUID()
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        {
          id: question_id,
          text: 'Votre agenda ?',
          type: 'multiple_choice',
          answers: [
            { text: 'Rempli', score: 1 },
            { text: 'Libre', score: 5 },
          ],
        },
        { id: randomUUID(), text: 'Où vous écrire ?', type: 'email', page_number: 2 },
      ],
      score_thresholds: {
        [low]: { min_score: 0, max_score: 4 },
        [high]: { min_score: 5, max_score: 10 },
      },
    },
  })
  return { id, question_id, result_ids }
}

export const publishedScoreQuiz = async (client: Client, name?: string): Promise<Ready> => {
  const quiz = await readyScoreQuiz(client, name)
  await client.quizzes.publish({ id: quiz.id })
  return quiz
}
