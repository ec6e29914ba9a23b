import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import type { Draft, Question } from '#domain/questionnaire/quiz.ts'
import { answerOf, dimensionOf, draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { dimensionErrors } from './dimension-check.ts'
import { publishErrors } from './publish-errors.ts'

const ask = (id: string, scores: number[], more: Partial<Question> = {}): Question =>
  questionOf(id, {
    dimension_id: 'd',
    answers: scores.map((score, rank) => answerOf(`${id}${rank}`, { text: 'A', score })),
    ...more,
  })
const tier = (id: string, from_percent: number, to_percent: number): DimensionTier => ({
  id,
  from_percent,
  to_percent,
  title: id,
  text: null,
})
const SANTE = dimensionOf('d', { name: 'Santé' })
const withTiers = (...tiers: DimensionTier[]): Partial<Draft> => ({
  dimensions: [{ ...SANTE, tiers }],
})

const errorsOf = (more: Partial<Draft>) =>
  dimensionErrors(
    draftOf({ quiz_mode: 'score', questions: [ask('q', [0, 1])], dimensions: [SANTE], ...more }),
  )

describe('a draft is accepted', () => {
  const accepted: [name: string, draft: Partial<Draft>][] = [
    ['without dimensions', { dimensions: [] }],
    ['with a dimension without tiers', {}],
    [
      'with tiers that cover 0 to 100 in any order',
      withTiers(tier('B', 51, 100), tier('A', 0, 50)),
    ],
    ['by profiles, which has no dimensions', { quiz_mode: 'profils', questions: [] }],
    ['of a sondage', { quiz: quizOf({ type: 'sondage' }), questions: [] }],
    [
      'if one of two questions gives different points',
      { questions: [ask('q', [1, 1]), ask('r', [0, 1])] },
    ],
    [
      'with a scale, whether or not it counts in the total',
      { questions: [ask('q', [], { type: 'scale', counts_in_score: true })] },
    ],
    [
      'with a scale that does not count in the total',
      { questions: [ask('q', [], { type: 'scale' })] },
    ],
  ]
  for (const [name, draft] of accepted) test(name, () => assert.deepEqual(errorsOf(draft), []))
})

const NO_QUESTION = 'd questions: La dimension « Santé » n’a aucune question'
const NO_RANGE =
  'd questions: Les réponses aux questions de la dimension « Santé » donnent toutes le même nombre de points'

describe('a draft is refused', () => {
  const refused: [name: string, draft: Partial<Draft>, expected: string[]][] = [
    [
      'if a dimension has no name',
      { dimensions: [{ ...SANTE, name: ' ' }] },
      ['d name: La dimension 1 n’a pas de nom'],
    ],
    [
      'if a name has braces, which would end its insertion',
      { dimensions: [{ ...SANTE, name: 'S}' }] },
      ['d name: Le nom de la dimension « S} » ne peut pas contenir d’accolades'],
    ],
    [
      'if two dimensions have the same name in another spelling',
      {
        dimensions: [SANTE, { ...SANTE, id: 'e', name: ' SANTÉ' }],
        questions: [ask('q', [0, 1]), ask('r', [0, 1], { dimension_id: 'e' })],
      },
      ['e name: Deux dimensions s’appellent « SANTÉ »'],
    ],
    [
      'if a dimension has no question',
      { questions: [ask('q', [0, 1], { dimension_id: null })] },
      [NO_QUESTION],
    ],
    [
      'if the only question is blank, because it is not published',
      { questions: [ask('q', [], { text: ' ' })] },
      [NO_QUESTION],
    ],
    ['if all answers have the same score', { questions: [ask('q', [3, 3])] }, [NO_RANGE]],
    [
      'if the only answer has points, although the question can be left blank',
      { questions: [ask('q', [2], { is_required: false })] },
      [NO_RANGE],
    ],
    [
      'if no answer has a score, so that the quiz has no mode and would show no dimension',
      { quiz_mode: null, questions: [ask('q', [0, 0])] },
      [NO_RANGE],
    ],
    [
      'if only an answer without text has another score',
      {
        questions: [ask('q', [3]), ask('r', [3])].map((question) => ({
          ...question,
          answers: [...question.answers, answerOf('x', { text: ' ', score: 9, position: 1 })],
        })),
      },
      [NO_RANGE],
    ],
    [
      'if every path skips the questions of a dimension',
      {
        questions: [
          questionOf('first', {
            answers: [answerOf('a', { text: 'A', jump_to: 3 })],
          }),
          ask('q', [0, 1], { page_number: 2, global_position: 1 }),
          questionOf('last', { type: 'text', page_number: 3, global_position: 2 }),
        ],
      },
      ['d questions: Les questions de la dimension « Santé » ne sont jamais atteintes'],
    ],
    [
      'if a tier has no title',
      withTiers(tier('A', 0, 50), { ...tier('B', 51, 100), title: '' }),
      ['B title: Le palier 2 de la dimension « Santé » n’a pas de titre'],
    ],
    [
      'if a tier ends before it begins',
      withTiers(tier('A', 0, 100), tier('B', 60, 40)),
      [
        'B from_percent: Le palier « B » de la dimension « Santé » va de 60 à 40 % : le premier nombre doit être le plus petit',
      ],
    ],
    [
      'if two tiers share a percentage',
      withTiers(tier('A', 0, 50), tier('B', 50, 100)),
      [
        'B from_percent: Les paliers « A » et « B » de la dimension « Santé » contiennent tous deux 50 %',
      ],
    ],
    [
      'if a tier lies within another one',
      withTiers(tier('A', 0, 100), tier('B', 20, 30)),
      [
        'B from_percent: Les paliers « A » et « B » de la dimension « Santé » contiennent tous deux 20 à 30 %',
      ],
    ],
    [
      'if tiers leave gaps at the start, between and at the end',
      withTiers(tier('A', 1, 40), tier('B', 50, 90)),
      [
        'A from_percent: Aucun palier de la dimension « Santé » ne contient 0 %',
        'B from_percent: Aucun palier de la dimension « Santé » ne contient 41 à 49 %',
        'B to_percent: Aucun palier de la dimension « Santé » ne contient 91 à 100 %',
      ],
    ],
  ]
  const told = (text: string, description: string): Partial<Draft> => ({
    dimensions: [{ ...SANTE, description, tiers: [{ ...tier('A', 0, 100), text }] }],
  })
  refused.push(
    [
      'if its texts insert a dimension that does not exist or have a refused link',
      told('{{Dimension santé}} {{dimension Argent}} {{point fort}}', '[x](ftp://a.fr)'),
      [
        'd description: La description de la dimension « Santé » : le lien vers « ftp://a.fr » n’est pas accepté (https, http, mailto ou tel)',
        'A text: Le texte du palier « A » de la dimension « Santé » : {{dimension Argent}} ne correspond à aucune dimension',
      ],
    ],
    [
      'if a short name is the insertion of a dimension',
      {
        questions: [
          ask('q', [0, 1], { label: 'Dimension SANTÉ' }),
          ask('r', [0, 1], { label: 'Dimension' }),
        ],
      },
      [
        'undefined label: Le nom court « Dimension SANTÉ » est réservé aux dimensions : donnez-en un autre à la question',
      ],
    ],
  )
  for (const [name, draft, expected] of refused)
    test(name, () => {
      const lines = errorsOf(draft).map(
        ({ tier_id, dimension_id, field, message }) =>
          `${tier_id ?? dimension_id} ${field}: ${message}`,
      )
      assert.deepEqual(lines, expected)
    })

  test('when it is published', () => {
    const draft = draftOf({ quiz_mode: 'score', dimensions: [SANTE] })
    const messages = publishErrors(draft).map(({ message }) => message)
    assert.ok(messages.includes('La dimension « Santé » n’a aucune question'))
  })
})
