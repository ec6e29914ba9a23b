import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { questionOf } from '#domain/testing/drafts.ts'
import { optionsLabel } from './options-labels.ts'

describe('the summary of the options', () => {
  const cases: [string, Partial<Question>, string][] = [
    ['is empty for default options', {}, ''],
    ['names an optional question', { is_required: false }, 'Facultative'],
    [
      'names every option of a choice',
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
    ['names an unlimited number of answers', { max_choices: null }, 'Autant de réponses que voulu'],
    ['names « Autre… »', { has_other: true }, 'Autre…'],
    ['leaves out a blank help text', { help: ' ' }, ''],
    [
      'names a scale that counts in the score',
      { type: 'scale', counts_in_score: true, scale_max: 5 },
      'Compte dans le score',
    ],
    ['names a net promoter score', { type: 'scale' }, 'Recommandation nette (NPS)'],
    ['leaves out a hidden net promoter score', { type: 'scale', shows_recommendation: false }, ''],
    [
      'leaves out options of other question types',
      { type: 'text', max_choices: 3, counts_in_score: true },
      '',
    ],
    [
      'names the role, the help and the short name of a text question',
      { type: 'text', contact_role: 'first_name', help: 'Le vôtre.', label: 'prénom' },
      'Coordonnée : prénom · texte d’aide · nom court : prénom',
    ],
    [
      'names the role of a phone',
      { type: 'phone', contact_role: 'phone' },
      'Coordonnée : téléphone',
    ],
    ['leaves out a role that does not fit the type', { type: 'date', contact_role: 'phone' }, ''],
  ]
  for (const [name, more, words] of cases)
    test(`the summary of the options ${name}`, () =>
      assert.equal(optionsLabel(questionOf('q', more), { hasScores: true }), words))

  test('the summary leaves out the score of a scale in a quiz without scores', () => {
    const scale = questionOf('q', { type: 'scale', scale_max: 7, counts_in_score: true })
    assert.equal(optionsLabel(scale, { hasScores: false }), '')
  })
})
