import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { dimensionOf, questionOf } from '#domain/testing/drafts.ts'
import { optionsLabel } from './options-labels.ts'

const dimensions = [dimensionOf('d', { name: 'Santé' }), dimensionOf('e', { name: ' ' })]

describe('the summary of the options', () => {
  const cases: [string, Partial<Question>, string][] = [
    ['is empty for default options', {}, ''],
    [
      'names the dimension before the other options',
      { dimension_id: 'd', is_required: false },
      'Dimension : Santé · facultative',
    ],
    [
      'names a dimension without a name by its rank',
      { dimension_id: 'e' },
      'Dimension : Dimension 2',
    ],
    ['leaves out the dimension of a text', { type: 'text', dimension_id: 'd' }, ''],
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
      assert.equal(optionsLabel(questionOf('q', more), { hasScores: true, dimensions }), words))

  test('the summary leaves out the score of a scale in a quiz without scores', () => {
    const scale = questionOf('q', { type: 'scale', scale_max: 7, counts_in_score: true })
    assert.equal(optionsLabel(scale, { hasScores: false, dimensions }), '')
  })
})
