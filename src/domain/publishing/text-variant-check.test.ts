import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import {
  answerOf,
  dimensionOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textVariantOf,
} from '#domain/testing/drafts.ts'
import { publishErrors } from './publish-errors.ts'
import { textVariantErrors } from './text-variant-check.ts'

const tier = { id: 't', from_percent: 0, to_percent: 100, title: 'Tout', text: null }
const base = draftOf({
  quiz_mode: 'score',
  results: [
    resultOf('r1', { min_score: 0, max_score: 3 }),
    resultOf('r2', { min_score: 4, max_score: 9 }),
  ],
  dimensions: [dimensionOf('d', { tiers: [tier] })],
  questions: [
    questionOf('q', {
      label: 'Couleur',
      answers: [answerOf('a', { score: 1 }), answerOf('blank', { text: ' ', score: 1 })],
    }),
    questionOf('s', {
      type: 'scale',
      scale_min: 1,
      scale_max: 5,
      global_position: 1,
      counts_in_score: true,
      dimension_id: 'd',
    }),
    questionOf('empty', { text: '', type: 'scale', global_position: 2 }),
    questionOf('p', { type: 'text', contact_role: 'first_name', global_position: 3 }),
  ],
})
const sondage: Partial<Draft> = { quiz: quizOf({ type: 'sondage' }), quiz_mode: null }
const chosen: Condition = { kind: 'answer_chosen', question_id: 'q', answer_id: 'a' }

const errorsOf = (variant: Partial<TextVariant>, more: Partial<Draft> = {}) =>
  textVariantErrors({
    ...base,
    ...more,
    text_variants: [
      textVariantOf('v', { text: 'Osez le rouge', conditions: [chosen], ...variant }),
    ],
  })
const messagesOf = (...given: Parameters<typeof errorsOf>): string[] =>
  errorsOf(...given).map(({ message, field }) => `${field}: ${message}`)

describe('a draft without points to fix', () => {
  const accepted: [string, Partial<TextVariant>, Partial<Draft>?][] = [
    ['a condition on an answer', {}],
    [
      'a number at each end of the scale',
      {
        conditions: [
          { kind: 'scale_at_least', question_id: 's', number: 1 },
          { kind: 'scale_at_most', question_id: 's', number: 5 },
        ],
      },
    ],
    ['a total with a single bound', { conditions: [{ kind: 'total_between', from: null, to: 3 }] }],
    [
      'a tier of a dimension',
      {
        conditions: [{ kind: 'dimension_tier', dimension_id: 'd', tier_id: 't' }],
      },
    ],
    ['a result', { conditions: [{ kind: 'result', result_id: 'r2' }] }],
    ['a text at the end of a sondage', { place: 'end' }, sondage],
    ['a text in the mail of a sondage', { place: 'mail' }, sondage],
    ['only a button', { text: '', button_text: 'Voir', button_url: 'https://example.com' }],
    [
      'insertions and links',
      {
        text: '{{couleur}}, {{score}}, {{résultat}} [ici](https://example.com)',
      },
    ],
    ['a first name in a mail', { place: 'mail', text: 'Bonjour {{prénom}}' }],
  ]
  for (const [name, variant, more] of accepted)
    test(`${name} can be published`, () => assert.deepEqual(errorsOf(variant, more), []))
})

const V = 'Le texte conditionnel « Osez le rouge »'
const refused: [name: string, Partial<TextVariant>, string[], Partial<Draft>?][] = [
  [
    'no condition',
    { conditions: [] },
    ['conditions: Ajoutez une condition au texte conditionnel « Osez le rouge »'],
  ],
  [
    'neither text nor button',
    { text: ' ' },
    ['text: Le texte conditionnel 1 est vide : écrivez-le, ou supprimez-le'],
  ],
  [
    'a place on results in a sondage',
    { place: 'every_result' },
    [
      `place: ${V} est placé sur un résultat, et un sondage n’en a pas : choisissez une autre place`,
    ],
    sondage,
  ],
  [
    'the end of a sondage in a quiz',
    { place: 'end' },
    [
      `place: ${V} est placé à la fin d’un sondage, et ce quiz a des résultats : choisissez une autre place`,
    ],
  ],
  [
    'half a button',
    { button_text: 'Voir' },
    ["button_url: Le bouton du texte conditionnel « Osez le rouge » n'a pas d'adresse"],
  ],
  [
    'an unknown insertion',
    { text: 'Bonjour {{prénom}}' },
    [
      'text: Le texte conditionnel « Bonjour {{prénom}} » : {{prénom}} n’est le nom court d’aucune question',
    ],
  ],
  [
    'a refused link',
    { text: '[ici](ftp://example.com)' },
    [
      'text: Le texte conditionnel « [ici](ftp://example.com) » : le lien vers « ftp://example.com » n’est pas accepté (https, http, mailto ou tel)',
    ],
  ],
  [
    'an unknown insertion in an address',
    {
      button_text: 'Voir',
      button_url: 'https://example.com/{{taille}}',
    },
    [
      'button_url: L’adresse du bouton du texte conditionnel « Osez le rouge » : {{taille}} n’est le nom court d’aucune question',
    ],
  ],
]
describe('a point to fix of a conditional text leads to its field', () => {
  for (const [name, variant, messages, more] of refused)
    test(`${name} is a point to fix`, () => assert.deepEqual(messagesOf(variant, more), messages))
})

const faults: [string, Condition, string, Partial<Draft>?][] = [
  [
    'a deleted question',
    { ...chosen, question_id: 'gone' },
    'porte sur une question supprimée : choisissez-en une autre',
  ],
  [
    'a deleted answer',
    { ...chosen, answer_id: 'gone' },
    'porte sur une réponse supprimée : choisissez-en une autre',
  ],
  ['a blank answer', { ...chosen, answer_id: 'blank' }, 'porte sur une réponse vide'],
  [
    'the answer of a scale',
    { ...chosen, question_id: 's' },
    'porte sur une question qui n’est pas à choix multiple',
  ],
  [
    'a blank question',
    { kind: 'scale_at_least', question_id: 'empty', number: 3 },
    'porte sur une question vide',
  ],
  [
    'the number of a choice',
    { kind: 'scale_at_most', question_id: 'q', number: 3 },
    'porte sur une question qui n’est pas une échelle',
  ],
  [
    'a number above the scale',
    { kind: 'scale_at_least', question_id: 's', number: 6 },
    'porte sur le nombre 6, et l’échelle va de 1 à 5',
  ],
  [
    'a number below the scale',
    { kind: 'scale_at_most', question_id: 's', number: 0 },
    'porte sur le nombre 0, et l’échelle va de 1 à 5',
  ],
  [
    'no bound',
    { kind: 'total_between', from: null, to: null },
    'n’a pas de total : indiquez au moins une borne',
  ],
  [
    'exchanged bounds',
    { kind: 'total_between', from: 8, to: 3 },
    'va d’un total de 8 à 3 : inversez les bornes',
  ],
  [
    'the total of a quiz by profiles',
    { kind: 'total_between', from: 1, to: 3 },
    'porte sur le total, qui n’existe que dans un quiz par score',
    { quiz_mode: 'profils' },
  ],
  [
    'a dimension of a quiz by profiles',
    { kind: 'dimension_tier', dimension_id: 'd', tier_id: 't' },
    'porte sur une dimension, qui n’existe que dans un quiz par score',
    { quiz_mode: 'profils' },
  ],
  [
    'a deleted dimension',
    { kind: 'dimension_tier', dimension_id: 'gone', tier_id: 't' },
    'porte sur une dimension supprimée : choisissez-en une autre',
  ],
  [
    'a deleted tier',
    { kind: 'dimension_tier', dimension_id: 'd', tier_id: 'gone' },
    'porte sur un palier supprimé : choisissez-en un autre',
  ],
  [
    'a dimension without tiers',
    { kind: 'dimension_tier', dimension_id: 'd', tier_id: 't' },
    'porte sur une dimension sans palier : ajoutez-lui des paliers, ou changez la condition',
    { dimensions: [dimensionOf('d')] },
  ],
  [
    'a deleted result',
    { kind: 'result', result_id: 'gone' },
    'porte sur un résultat supprimé : choisissez-en un autre',
  ],
]
describe('a condition that can refer to nothing is a point to fix', () => {
  for (const [name, condition, fault, more] of faults)
    test(`a condition on ${name} is a point to fix`, () =>
      assert.deepEqual(messagesOf({ conditions: [condition] }, more), [
        `condition_1: ${V} : la condition ${fault}`,
      ]))

  test('a result is none of a sondage', () => {
    const conditions: Condition[] = [{ kind: 'result', result_id: 'r1' }]
    assert.deepEqual(messagesOf({ place: 'end', conditions }, sondage), [
      `condition_1: ${V} : la condition porte sur un résultat, et un sondage n’en a pas`,
    ])
  })

  test('each condition has its own point, with its number and its text', () => {
    const gone: Condition = { kind: 'result', result_id: 'gone' }
    assert.deepEqual(errorsOf({ conditions: [chosen, gone] }), [
      {
        message: `${V} : la condition 2 porte sur un résultat supprimé : choisissez-en un autre`,
        text_variant_id: 'v',
        field: 'condition_2',
      },
    ])
  })
})

test('publishing is refused for a conditional text', () => {
  const text_variants = [textVariantOf('v', { conditions: [] })]
  const messages = publishErrors({ ...base, text_variants }).map(({ message }) => message)
  assert.deepEqual(messages, ['Ajoutez une condition au texte conditionnel « v »'])
})
