import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { z } from 'zod'
import { api } from '#contract/api.ts'
import { withoutControls } from '#domain/common/text.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { filledText, text, uuid } from './fields.ts'
import {
  editableColors,
  pageNumber,
  questionType,
  quizMode,
  quizStatus,
  quizType,
  rank,
  threshold,
  wholeNumber,
} from './shapes.ts'

const { quizzes, results, questions, publicQuiz } = api
const ID = '0191e7c2-1111-7222-8333-444455556666'
const question = { type: 'multiple_choice' }

/** Returns the path of each validation error of a value. */
const mistakes = (shape: z.ZodType, value: unknown): string[] =>
  shape.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? []
const isTaken = (shape: z.ZodType, value: unknown): boolean => mistakes(shape, value).length === 0

type Field = [
  name: string,
  max: number,
  shape: z.ZodType,
  path: string,
  bodyOf: (value: string) => unknown,
]
/** Texts of requests with their maximum lengths in product 15.1. */
const fields: Field[] = [
  ['quiz name', 100, quizzes.create.body, 'name', (name) => ({ name, type: 'quiz' })],
  ['quiz name, changed', 100, quizzes.update.body, 'name', (name) => ({ name })],
  ['result name', 200, results.create.body, 'name', (name) => ({ name })],
  ['result name, changed', 200, results.update.body, 'name', (name) => ({ name })],
  [
    'result name, saved',
    200,
    results.saveAll.body,
    'results.0.name',
    (name) => ({ results: [{ name }] }),
  ],
  [
    'description',
    5_000,
    results.create.body,
    'description',
    (description) => ({ name: 'Lune', description }),
  ],
  [
    'description, changed',
    5_000,
    results.update.body,
    'description',
    (description) => ({ description }),
  ],
  [
    'description, saved',
    5_000,
    results.saveAll.body,
    'results.0.description',
    (description) => ({ results: [{ name: 'Lune', description }] }),
  ],
  [
    'question text',
    1_000,
    questions.create.body,
    'text',
    (value) => ({ ...question, text: value }),
  ],
  ['question text, changed', 1_000, questions.update.body, 'text', (value) => ({ text: value })],
  [
    'question text, saved',
    1_000,
    questions.saveDraft.body,
    'questions.0.text',
    (value) => ({ questions: [{ ...question, text: value }] }),
  ],
  ['answer text', 500, questions.addAnswer.body, 'text', (value) => ({ text: value })],
  [
    'answer text, saved',
    500,
    questions.saveAnswers.body,
    'answers.0.text',
    (value) => ({ answers: [{ text: value }] }),
  ],
  [
    'answer text, saved with its question',
    500,
    questions.saveDraft.body,
    'questions.0.answers.0.text',
    (value) => ({ questions: [{ ...question, answers: [{ text: value }] }] }),
  ],
  [
    'text block',
    5_000,
    questions.saveDraft.body,
    'text_blocks.0.content',
    (content) => ({ questions: [], text_blocks: [{ content }] }),
  ],
  [
    'typed answer',
    10_000,
    publicQuiz.submit.body,
    `answers.${ID}`,
    (value) => ({ answers: { [ID]: value } }),
  ],
  ['email', 254, publicQuiz.submit.body, 'email', (email) => ({ answers: {}, email })],
]

describe('the limits of every text (product 15.1)', () => {
  for (const [name, max, shape, path, bodyOf] of fields)
    test(`the ${name} has at most ${max} characters and never half a surrogate pair`, () => {
      const refused = (value: string) => assert.deepEqual(mistakes(shape, bodyOf(value)), [path])
      assert.deepEqual(mistakes(shape, bodyOf('é'.repeat(max))), [])
      refused('é'.repeat(max + 1))
      // A character beyond U+FFFF counts as one, although JavaScript counts two.
      assert.deepEqual(mistakes(shape, bodyOf('😀'.repeat(max))), [])
      refused('😀'.repeat(max + 1))
      for (const broken of ['\0', 'a\0b', '\ud83d', '\ude00', '\ude00\ud83d', 'a\ud800b'])
        refused(broken)
    })
})

describe('the text shapes', () => {
  // Surrogates are drawn often, so that some form pairs and others stay lone.
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0xd800, max: 0xdfff }),
    fc.constant(0),
  )
  const texts = fc
    .array(unit, { maxLength: 12 })
    .map((units) => units.map((value) => String.fromCharCode(value)).join(''))

  test('a text is accepted without its control characters, or refused', () =>
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), fc.nat(12), (value, max) => {
        const { success, data } = text(max).safeParse(value)
        const stored = withoutControls(value)
        assert.equal(success, [...stored].length <= max && !/[\0\p{Surrogate}]/u.test(value))
        if (success) assert.equal(data, stored)
      }),
      { numRuns: countCases(500) },
    ))

  test('a text must be a string', () => {
    for (const value of [null, undefined, 1, {}, ['a']])
      assert.equal(isTaken(text(9), value), false)
  })

  test('a required text is trimmed and must have a visible character', () => {
    assert.equal(filledText(9).parse('  Été  '), 'Été')
    for (const blank of ['', ' ', '\t\n', '\u00a0', '\u200b', '\u2800\u00ad'])
      assert.equal(isTaken(filledText(9), blank), false)
    assert.equal(filledText(3).parse(` Été${' '.repeat(9)}`), 'Été')
    assert.equal(isTaken(filledText(3), ' Étés '), false)
    assert.deepEqual(mistakes(quizzes.create.body, { name: '\u200b', type: 'quiz' }), ['name'])
    assert.deepEqual(mistakes(quizzes.update.body, { name: '\u200b' }), ['name'])
    assert.deepEqual(mistakes(results.create.body, { name: '\u200b' }), ['name'])
  })
})

describe('the number shapes', () => {
  const cases: [name: string, shape: z.ZodType, taken: number[], refused: number[]][] = [
    [
      'a score is whole and of either sign',
      wholeNumber,
      [-1_000_000, 0, 1_000_000],
      [1_000_001, -1_000_001, 0.5],
    ],
    ['a rank is from 0', rank, [0, 1_000_000], [-1, 1.5, 1_000_001]],
    ['a page is from 1 to 100', pageNumber, [1, 100], [0, -1, 101, 1.5]],
    ['a bound is from 0 (product 2.5)', threshold, [0, 1_000_000], [-1, 0.5, 1_000_001]],
  ]
  for (const [name, shape, taken, refused] of cases)
    test(`a number has its limits: ${name}`, () => {
      for (const value of taken) assert.equal(isTaken(shape, value), true, `${value}`)
      for (const value of [...refused, Number.NaN, Number.POSITIVE_INFINITY, '1', null])
        assert.equal(isTaken(shape, value), false, `${value}`)
    })
})

describe('the closed lists (product 1.9)', () => {
  const cases: [string, z.ZodType, (string | null)[], (string | null)[]][] = [
    ['types', quizType, ['quiz', 'sondage'], ['Quiz', '', null]],
    ['statuses', quizStatus, ['Brouillon', 'Publié'], ['Publie', 'published', null]],
    ['modes', quizMode, ['score', 'profils', null], ['profil', '']],
    [
      'question types',
      questionType,
      ['multiple_choice', 'text', 'textarea', 'email', 'phone', 'number'],
      ['tel', 'choice', null],
    ],
  ]
  for (const [name, shape, taken, refused] of cases)
    test(`the closed list of ${name} accepts only its own values`, () => {
      for (const value of taken) assert.equal(isTaken(shape, value), true, `${value}`)
      for (const value of refused) assert.equal(isTaken(shape, value), false, `${value}`)
    })
})

test('ids are UUIDs of any version, converted to lower case', () => {
  assert.equal(uuid.parse(ID.toUpperCase()), ID)
  for (const value of ['', 'temp_1', `${ID} `, `{${ID}}`, ID.replaceAll('-', ''), ID.slice(1)])
    assert.equal(isTaken(uuid, value), false, value)
})

test('a colour is #rrggbb, or null for the default colour', () => {
  const names = ['bg_color', 'text_color', 'button_color', 'button_text_color', 'accent_color']
  for (const name of names) {
    for (const value of ['#0070D7', '#ffffff', null])
      assert.deepEqual(mistakes(editableColors, { [name]: value }), [], `${name} ${value}`)
    for (const value of ['#fff', '0070D7', '#0070D7 ', '#0070DG', 'red', '', 0])
      assert.deepEqual(mistakes(editableColors, { [name]: value }), [name], `${name} ${value}`)
  }
  assert.deepEqual(Object.keys(editableColors.shape).sort(), names.sort())
})
