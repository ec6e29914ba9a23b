import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import type { CorrectionMoment } from '#domain/common/vocabulary.ts'

/**
 * Publishes a quiz by score with right answers. Page 1 asks for a capital, whose wrong answer « Nice » skips page 2. Page 2
 * asks for all rivers, by all or nothing, and an optional free question. Page 3 asks an optional last choice.
 */
export const publishCorrectedQuiz = async (
  owner: Client,
  shows_corrections: CorrectionMoment = 'page',
) => {
  const { quiz } = await owner.quizzes.create({ body: { name: 'Géographie', type: 'quiz' } })
  const { id } = quiz
  const ids = Array.from({ length: 16 }, () => randomUUID())
  const [capital = '', paris = '', lyon = '', nice = '', rivers = '', seine = '', rhone = ''] = ids
  const [alps = '', opinion = '', last = '', yes = '', no = '', low = '', high = ''] = ids.slice(7)
  await owner.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: 'À revoir' },
        { id: high, name: 'Bravo' },
      ],
    },
  })
  await owner.questions.saveDraft({
    id,
    body: {
      quiz_mode: 'score',
      questions: [
        {
          id: capital,
          text: 'Quelle est la capitale ?',
          type: 'multiple_choice',
          explanation: 'Depuis **987**, voir https://exemple.fr/paris.',
          answers: [
            { id: paris, text: 'Paris', score: 1, is_correct: true },
            { id: lyon, text: 'Lyon', score: 0 },
            { id: nice, text: 'Nice', score: 0, jump_to: 3 },
          ],
        },
        {
          id: rivers,
          text: 'Quels sont les fleuves ?',
          type: 'multiple_choice',
          page_number: 2,
          max_choices: null,
          has_other: true,
          all_or_nothing: true,
          answers: [
            { id: seine, text: 'La Seine', score: 1, is_correct: true },
            { id: rhone, text: 'Le Rhône', score: 1, is_correct: true },
            { id: alps, text: 'Les Alpes', score: 0 },
          ],
        },
        { id: opinion, text: 'Un commentaire ?', type: 'text', page_number: 2, is_required: false },
        {
          id: last,
          text: 'La Loire est-elle un fleuve ?',
          type: 'multiple_choice',
          page_number: 3,
          is_required: false,
          answers: [
            { id: yes, text: 'Oui', score: 1, is_correct: true },
            { id: no, text: 'Non', score: 0 },
          ],
        },
      ],
      score_thresholds: {
        [low]: { min_score: 0, max_score: 2 },
        [high]: { min_score: 3, max_score: 4 },
      },
    },
  })
  const colors = { button_color: '#1f1f1f', button_text_color: '#ffffff' }
  await owner.quizzes.update({ id, body: { ...colors, shows_corrections } })
  await owner.quizzes.publish({ id })
  return { id, capital, paris, lyon, nice, rivers, seine, rhone, alps, opinion, last, yes, no }
}
