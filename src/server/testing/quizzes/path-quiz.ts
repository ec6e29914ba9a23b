import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'

/** Publishes a quiz by score with jumps: the answers on page 1 lead to page 2, to page 3 or to the end. */
export const publishPathQuiz = async (owner: Client) => {
  const { quiz } = await owner.quizzes.create({ body: { name: 'Quel chemin ?', type: 'quiz' } })
  const { id } = quiz
  const ids = Array.from({ length: 12 }, () => randomUUID())
  const [way = '', on = '', past = '', out = '', several = '', a = '', b = '', c = ''] = ids
  const [mail = '', scale = '', low = '', high = ''] = ids.slice(8)
  await owner.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: 'Bas' },
        { id: high, name: 'Haut' },
      ],
    },
  })
  await owner.questions.saveDraft({
    id,
    body: {
      quiz_mode: 'score',
      questions: [
        {
          id: way,
          text: 'Par où ?',
          type: 'multiple_choice',
          answers: [
            { id: on, text: 'Tout droit', score: 1 },
            { id: past, text: 'Court', score: 2, jump_to: 3 },
            { id: out, text: 'Dehors', score: 3, jump_to: 0 },
          ],
        },
        {
          id: several,
          text: 'Lesquels ?',
          type: 'multiple_choice',
          page_number: 2,
          max_choices: 2,
          has_other: true,
          is_required: false,
          answers: [a, b, c].map((id, rank) => ({ id, text: `Choix ${rank}`, score: 4 })),
        },
        { id: mail, text: 'Où vous écrire ?', type: 'email', page_number: 2 },
        {
          id: scale,
          text: 'Combien ?',
          type: 'scale',
          page_number: 3,
          scale_min: 1,
          scale_max: 5,
          counts_in_score: true,
          is_required: false,
        },
      ],
      score_thresholds: {
        [low]: { min_score: 0, max_score: 5 },
        [high]: { min_score: 6, max_score: 99 },
      },
    },
  })
  await owner.quizzes.publish({ id })
  return { id, way, on, past, out, several, a, b, c, mail, scale }
}

/** Publishes a second version, which renames a result and an answer, and has one answer of several less. */
export const publishSecondVersion = async (
  client: Client,
  quiz: Awaited<ReturnType<typeof publishPathQuiz>>,
): Promise<void> => {
  const { results } = await client.results.list({ id: quiz.id })
  await client.results.update({ resultId: results[0]?.id ?? '', body: { name: 'Tout bas' } })
  const { questions } = await client.questions.list({ id: quiz.id })
  const answers = questions.find(({ id }) => id === quiz.several)?.answers ?? []
  const [a, , c] = answers
  assert.ok(a && c)
  await client.questions.saveAnswers({
    id: quiz.several,
    body: {
      answers: [
        { ...c, position: 0 },
        { ...a, text: 'Choix renommé', position: 1 },
      ],
    },
  })
  await client.quizzes.publish({ id: quiz.id })
}
