import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft, Quiz } from '#domain/questionnaire/quiz.ts'
import { answerOf, draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { reportErrors } from './report-check.ts'

const errorsOf = (
  quiz: Partial<Quiz>,
  { scores = [0, 4], ...more }: Partial<Draft> & { scores?: number[] } = {},
): string[] => {
  const answers = scores.map((score, position) =>
    answerOf(`a${position}`, { question_id: 'q', text: 'Oui', score, position }),
  )
  const questions = [questionOf('q', { text: 'Alors ?', label: 'Avis', answers })]
  const draft = draftOf({
    quiz: quizOf({ certificate_percent: 50, ...quiz }),
    quiz_mode: 'score',
    questions,
    ...more,
  })
  return reportErrors(draft).map(({ field, message }) => `${field}: ${message}`)
}

describe('the certificate of a draft', () => {
  test('a quiz by score with different points can give a certificate, without asking for a name', () => {
    assert.deepEqual(errorsOf({}), [])
  })

  test('a sondage, a quiz by profiles and equal points give an error that leads to the percent', () => {
    for (const [quiz, more] of [
      [{ type: 'sondage' }, {}],
      [{}, { quiz_mode: 'profils' }],
      [{}, { quiz_mode: null }],
      [{}, { scores: [2, 2] }],
    ] as [Partial<Quiz>, Partial<Draft>][]) {
      const [error = '', ...others] = errorsOf(quiz, more)
      assert.match(error, /^certificate_percent: /)
      assert.deepEqual(others, [])
      assert.deepEqual(errorsOf({ ...quiz, certificate_percent: null }, more), [])
    }
  })

  test('the text can insert its own names, short names and values, and nothing else', () => {
    const known = '{{nom}} {{Prénom}} {{date}} {{pourcentage}} {{Avis}} {{score}} {{résultat}}'
    assert.deepEqual(errorsOf({ certificate_text: known }), [])
    const [error = '', ...others] = errorsOf({ certificate_text: '{{Inconnu}}' })
    assert.match(error, /^certificate_text: Le texte de l’attestation : \{\{Inconnu\}\}/)
    assert.deepEqual(others, [])
    assert.deepEqual(errorsOf({ certificate_text: '{{Inconnu}}', certificate_percent: null }), [])
  })
})
