import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditConflict } from '#domain/editing/merge-rows.ts'
import type { Field } from '#domain/questionnaire/fields/field.ts'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import { SAVED_QUIZ_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import { QUESTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import {
  answerOf,
  dimensionOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textVariantOf,
  tierOf,
} from '#domain/testing/drafts.ts'
import { conflictTitle, conflictValue } from './conflict-labels.ts'

const draft = draftOf({
  dimensions: [dimensionOf('health', { name: 'Santé' })],
  questions: [questionOf('q', { answers: [answerOf('a', { text: 'Non' })] })],
  results: [resultOf('r', { name: 'Prêt' })],
  text_variants: [textVariantOf('v', { text: 'Osez', joined_by: 'or' })],
})
const CHOSEN: Condition = { kind: 'answer_chosen', question_id: 'q', answer_id: 'a' }
const VARIANT = { kind: 'text_variant', id: 'v' } as const

const cases: [
  at: Pick<EditConflict, 'kind' | 'id' | 'field'>,
  title: string,
  values: [unknown, string][],
][] = [
  [
    { kind: 'question', id: 'q', field: 'is_required' },
    'Réponse obligatoire de la question 1',
    [
      [true, 'Oui'],
      [false, 'Non'],
    ],
  ],
  [
    { kind: 'question', id: 'q', field: 'max_choices' },
    'Nombre de réponses de la question 1',
    [
      [null, 'Sans limite'],
      [3, '3 au plus'],
    ],
  ],
  [
    { kind: 'question', id: 'q', field: 'help' },
    'Texte d’aide de la question 1',
    [
      [null, '(vide)'],
      ['Deux suffisent.', 'Deux suffisent.'],
    ],
  ],
  [
    { kind: 'question', id: 'q', field: 'dimension_id' },
    'Dimension de la question 1',
    [
      [null, 'Aucune'],
      ['health', '« Santé »'],
    ],
  ],
  [
    { kind: 'dimension', id: 'health', field: 'tiers' },
    'Paliers de la dimension « Santé »',
    [
      [[], 'Aucun'],
      [
        [tierOf('Faible', 0, 49), tierOf('Fort', 50, 100, { title: '' })],
        'Faible 0–49 %, 50–100 %',
      ],
    ],
  ],
  [
    { ...VARIANT, field: 'conditions' },
    'Conditions du texte conditionnel « Osez »',
    [
      [[], 'Sans condition'],
      [[CHOSEN], 'Si « Non » choisie à la question 1'],
      [
        [CHOSEN, { kind: 'result', result_id: 'r' }, { ...CHOSEN, answer_id: 'gone' }],
        'Si « Non » choisie à la question 1 ou résultat « Prêt » ou réponse supprimée choisie à la question 1',
      ],
    ],
  ],
  [
    { ...VARIANT, field: 'joined_by' },
    'Liaison des conditions du texte conditionnel « Osez »',
    [
      ['and', 'Montrer si toutes les conditions sont remplies (et)'],
      ['or', 'Montrer si au moins une condition est remplie (ou)'],
    ],
  ],
  [
    { ...VARIANT, field: 'place' },
    'Place du texte conditionnel « Osez »',
    [
      ['result', 'Sur un résultat'],
      ['every_result', 'Sur tous les résultats'],
      ['mail', 'Dans l’email du résultat'],
    ],
  ],
  [
    { ...VARIANT, field: 'result_id' },
    'Résultat du texte conditionnel « Osez »',
    [
      [null, 'Aucun'],
      ['r', '« Prêt »'],
    ],
  ],
  [{ kind: 'quiz', field: 'dimension_chart' }, 'Graphique des dimensions', [['radar', 'Radar']]],
  [
    { kind: 'answer', id: 'a', field: 'jump_to' },
    'Destination de la réponse « Non »',
    [
      [null, 'Page suivante'],
      [4, 'Page 4'],
      [0, 'Fin du questionnaire'],
      [-1, 'Page supprimée'],
    ],
  ],
  [
    { kind: 'quiz', field: 'slug' },
    'Adresse du questionnaire',
    [
      [null, '(vide)'],
      ['mon-quiz', 'mon-quiz'],
    ],
  ],
  [
    { kind: 'quiz', field: 'closes_at' },
    'Date et heure de clôture',
    [
      [null, 'Aucune'],
      ['2026-12-15T17:00:00.000Z', '15 décembre 2026 à 18:00'],
    ],
  ],
  [
    { kind: 'quiz', field: 'opens_at' },
    'Date et heure d’ouverture',
    [
      [null, 'Aucune'],
      ['2026-12-03T08:00:00.000Z', '3 décembre 2026 à 09:00'],
    ],
  ],
  [
    { kind: 'quiz', field: 'max_responses' },
    'Nombre maximum de participants',
    [
      [null, 'Sans limite'],
      [12, '12'],
    ],
  ],
  [
    { kind: 'quiz', field: 'closed_text' },
    'Texte du questionnaire clos',
    [
      [null, '(vide)'],
      ['Merci à tous !', 'Merci à tous !'],
    ],
  ],
  [
    { kind: 'quiz', field: 'tie_rule' },
    'En cas d’égalité',
    [
      ['priority', 'Le plus haut de la liste'],
      ['question', 'Une question départage'],
      ['both', 'Tous sont montrés'],
    ],
  ],
  [
    { kind: 'quiz', field: 'tie_question_id' },
    'Question qui départage',
    [
      ['q', 'Question 1 « q ? »'],
      ['gone', 'Une autre question'],
      [null, 'Aucune'],
    ],
  ],
]

for (const [at, title, values] of cases)
  test(`a conflict about ${at.field} is described in French`, () => {
    const conflict = { ...at, path: '', mine: null, theirs: null }
    assert.equal(conflictTitle(conflict, draft), title)
    for (const [value, words] of values) assert.equal(conflictValue(conflict, value, draft), words)
  })

test('the name in a conflict is that of a quiz or of a sondage', () => {
  const titleOf = (type: 'quiz' | 'sondage'): string =>
    conflictTitle({ kind: 'quiz', field: 'name' }, draftOf({ quiz: quizOf({ type }) }))
  assert.deepEqual([titleOf('quiz'), titleOf('sondage')], ['Nom du quiz', 'Nom du sondage'])
})

test('every value of a closed list of the quiz or of a question has a French name', () => {
  const lists = [
    ...Object.entries<Field>(SAVED_QUIZ_FIELDS).map((entry) => ['quiz', ...entry] as const),
    ...Object.entries<Field>(QUESTION_FIELDS).map((entry) => ['question', ...entry] as const),
  ]
  const shown = lists.flatMap(([kind, field, record]) => {
    if (record.kind !== 'list' || typeof record.values[0] === 'number') return []
    return record.values.map((value) =>
      conflictValue({ kind, id: 'q', field, path: field, mine: value, theirs: null }, value, draft),
    )
  })
  for (const name of [
    'Après chaque page',
    'Résultat et réponses',
    'Adoucis',
    'Inter',
    'Tu',
    'Prénom',
  ])
    assert.ok(shown.includes(name), name)
  assert.deepEqual(
    shown.filter((name) => /^[a-z_]+$/.test(name)),
    [],
  )
})
