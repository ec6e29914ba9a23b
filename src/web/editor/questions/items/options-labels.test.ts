import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { questionOf } from '#domain/testing/drafts.ts'
import { optionsLabel } from './options-labels.ts'

describe('the line of the options', () => {
  const cases: [string, Partial<Question>, string][] = [
    ['nothing is set', {}, ''],
    ['a question that may be left blank', { is_required: false }, 'Facultative'],
    [
      'a choice with everything',
      {
        is_required: false,
        max_choices: 3,
        has_other: true,
        shuffles_answers: true,
        help: 'Deux suffisent.',
        label: ' besoins ',
      },
      'Facultative · jusqu’à 3 réponses · Autre… · ordre tiré au sort · texte d’aide · nom court : besoins',
    ],
    ['any number of answers', { max_choices: null }, 'Autant de réponses que voulu'],
    ['« Autre… » alone', { has_other: true }, 'Autre…'],
    ['a blank help says nothing', { help: ' ' }, ''],
    ['a scale that counts', { type: 'scale', counts_in_score: true }, 'Compte dans le score'],
    ['what another type is asked by', { type: 'text', max_choices: 3, counts_in_score: true }, ''],
  ]
  for (const [name, more, words] of cases)
    test(name, () => assert.equal(optionsLabel(questionOf('q', more), { hasScores: true }), words))

  test('without scores a scale counts for nothing', () => {
    const scale = questionOf('q', { type: 'scale', counts_in_score: true })
    assert.equal(optionsLabel(scale, { hasScores: false }), '')
  })
})
