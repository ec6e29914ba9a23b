import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUESTION_TYPES } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { type SnapshotQuestion, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { packDimensions, readDimensions } from '#domain/run/stored-dimensions.ts'
import { dimensionOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import {
  acceptingTypes,
  isSameField,
  MAPPED_TYPES,
  MAPPING_SOURCES,
  mappedValue,
  mappedValues,
  usedFieldReason,
  usedFieldsOf,
} from './field-mappings.ts'

const question = (over: Partial<SnapshotQuestion>): SnapshotQuestion => ({
  id: 'q',
  text: 'Q',
  type: 'text',
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: [],
  ...over,
})
const answers = ['Été, hiver', 'Printemps'].map((text, position) => ({
  id: `a${position}`,
  text,
  score: null,
  position,
  associations: [],
}))
const CHOICES = question({ type: 'multiple_choice', answers, max_choices: null, has_other: true })

const ROWS: [string, SnapshotQuestion, string | string[], unknown[]][] = [
  // Name, question, reply, and its values in a field of text, numbers and dates.
  ['a text', question({}), ' Lyon ', ['Lyon', null, null]],
  ['a blank text', question({}), '  ', [null, null, null]],
  ['several answers', CHOICES, ['a0', 'a1'], ['Été, hiver; Printemps', null, null]],
  [
    'an answer and another',
    CHOICES,
    ['a1', 'other:Automne'],
    ['Printemps; Autre : Automne', null, null],
  ],
  ['no answer', CHOICES, '', [null, null, null]],
  ['a number', question({ type: 'number' }), '12,5', ['12,5', 12.5, null]],
  ['zero', question({ type: 'number' }), '0', ['0', 0, null]],
  ['no number', question({ type: 'number' }), 'douze', ['douze', null, null]],
  ['a scale', question({ type: 'scale', scale_min: 0 }), '0', ['0', 0, null]],
  ['a day', question({ type: 'date' }), '2026-03-09', ['09/03/2026', null, '2026-03-09']],
  ['no day', question({ type: 'date' }), '2026-02-30', ['2026-02-30', null, null]],
]
for (const [name, asked, reply, expected] of ROWS)
  test(`a mapped field receives ${name} in the form of its type`, () => {
    const run = {
      visited: [asked],
      replies: { q: reply },
      score: null,
      dimensions: [],
      result_name: null,
    }
    const source = { source: 'question', question_id: 'q' } as const
    const values = MAPPED_TYPES.map((field_type) => mappedValue({ ...source, field_type }, run))
    assert.deepEqual(values, expected)
    // A question that was not seen has no value, whatever was sent for it.
    for (const field_type of MAPPED_TYPES)
      assert.equal(mappedValue({ ...source, field_type }, { ...run, visited: [] }), null)
  })

test('a mapped field of text receives the address of the page, and none without a page', () => {
  const nothing = { visited: [], replies: {}, score: null, dimensions: [], result_name: null }
  const source = { source: 'own_page', question_id: null } as const
  const result_url = 'https://q.example/q/1/ma-page/abc'
  const valuesOf = (run: Parameters<typeof mappedValue>[1]) =>
    MAPPED_TYPES.map((field_type) => mappedValue({ ...source, field_type }, run))
  assert.deepEqual(valuesOf({ ...nothing, result_url }), [result_url, null, null])
  assert.deepEqual(valuesOf(nothing), [null, null, null])
})

test('a mapped field receives the score and the result', () => {
  const valuesOf = (source: 'score' | 'result', score: number | null, result_name: string | null) =>
    MAPPED_TYPES.map((field_type) =>
      mappedValue(
        { source, question_id: null, field_type },
        { visited: [], replies: {}, score, dimensions: [], result_name },
      ),
    )
  assert.deepEqual(valuesOf('score', 0, null), ['0', 0, null])
  assert.deepEqual(valuesOf('score', null, 'A'), [null, null, null])
  assert.deepEqual(valuesOf('result', 3, 'L’audacieuse'), ['L’audacieuse', null, null])
  assert.deepEqual(valuesOf('result', 3, null), [null, null, null])
})

test('a mapped field receives the percent of a dimension that the participant was shown', () => {
  const run = {
    visited: [],
    replies: {},
    score: 3,
    result_name: null,
    dimensions: [{ dimension_id: 'd', percent: 0 }],
  }
  const valuesOf = (dimension_id: string) =>
    MAPPED_TYPES.map((field_type) =>
      mappedValue({ source: 'dimension', question_id: null, dimension_id, field_type }, run),
    )
  assert.deepEqual(valuesOf('d'), ['0', 0, null])
  assert.deepEqual(valuesOf('other'), [null, null, null])
})

test('a field receives values only of sources that its type accepts, and text fields accept all', () => {
  for (const source of MAPPING_SOURCES)
    for (const type of source === 'question' ? QUESTION_TYPES : [null]) {
      const accepted: readonly string[] = acceptingTypes(source, type)
      assert.ok(accepted.includes('text'))
      assert.equal(
        accepted.includes('number'),
        ['score', 'dimension'].includes(source) || type === 'number' || type === 'scale',
      )
      assert.equal(accepted.includes('date'), type === 'date' || source === 'measure_day')
    }
})

test('a field without a value is left out, and a value that does not fit is null', () => {
  const run = {
    visited: [question({})],
    replies: { q: 'Lyon' },
    score: null,
    dimensions: [],
    result_name: null,
  }
  const city = { source: 'question', question_id: 'q', field_type: 'number' } as const
  const score = { source: 'score', question_id: null, field_type: 'text' } as const
  assert.deepEqual(mappedValues([city, score], run), [{ mapping: city, value: null }])
})

test('fields of the contact data, the result and parameters are used already', () => {
  const quiz = { kit_custom_field: null, brevo_attribute_name: null, parameters: ['ref'] }
  const reason = (provider: 'convertkit' | 'systemio' | 'brevo', ...names: string[]) =>
    usedFieldReason(usedFieldsOf(provider, quiz), names)
  assert.match(reason('brevo', 'PRENOM') ?? '', /coordonnée « Prénom »/)
  assert.match(reason('systemio', 'Téléphone', 'phone_number') ?? '', /coordonnée « Téléphone »/)
  assert.match(reason('convertkit', 'resultat quiz') ?? '', /résultat/)
  assert.match(reason('brevo', 'QUIZ_REF') ?? '', /« ref »/)
  assert.match(reason('convertkit', 'utm_source') ?? '', /« utm_source »/)
  assert.equal(reason('convertkit', 'Ville'), undefined)
  assert.ok(isSameField('Résultat quiz', 'resultat_quiz'))
  assert.ok(!isSameField('📍', '🎉'))
})

test('a dimension without an answered question writes nothing, and never 0', () => {
  const snapshot = takeSnapshot(
    draftOf({
      quiz_mode: 'score',
      dimensions: [dimensionOf('d')],
      questions: [questionOf('s', { type: 'scale', dimension_id: 'd', is_required: false })],
    }),
  )
  const mapping = {
    source: 'dimension',
    question_id: null,
    dimension_id: 'd',
    field_type: 'number',
  } as const
  const valuesFor = (replies: Replies) =>
    mappedValues([mapping], {
      visited: snapshot.questions,
      replies,
      score: 0,
      result_name: null,
      dimensions: readDimensions(snapshot, packDimensions(snapshot, replies)),
    }).map(({ value }) => value)
  assert.deepEqual(valuesFor({}), [])
  assert.deepEqual(valuesFor({ s: '0' }), [0])
})
