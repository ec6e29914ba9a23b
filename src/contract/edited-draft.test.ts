import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { z } from 'zod'
import { api } from './api.ts'
import { editedAnswer, editedDraft, editedId, editedQuestion } from './edited-draft.ts'

const [ID, OTHER] = [
  '0191e7c2-1111-7222-8333-444455556666',
  '0191e7c2-aaaa-7bbb-8ccc-ddddeeeeffff',
] as const

const mistakes = (shape: z.ZodType, value: unknown): string[] =>
  shape.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? []
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('an id of an edited draft (product 5.5)', () => {
  const taken = [ID, 'temp_1', 'temp_1719_ab-c', `temp_${'x'.repeat(100)}`]
  const refused = [
    '',
    'temp_',
    'temp',
    'x',
    'xtemp_1',
    'temp_1 ',
    'temp_é',
    'temp_a/b',
    'temp_1\n',
    `temp_${'x'.repeat(101)}`,
    `${ID}0`,
    1,
    null,
  ]
  test('an id is a UUID or begins with temp_', () => {
    for (const id of taken) assert.equal(editedId.safeParse(id).data, id)
    for (const id of refused) assert.equal(editedId.safeParse(id).success, false, `${id}`)
  })
  test('a UUID is converted to lower case, and a temporary id is unchanged', () => {
    assert.equal(editedId.parse(OTHER.toUpperCase()), OTHER)
    assert.equal(editedId.parse('temp_Ab'), 'temp_Ab')
  })
  test('an id of an edited item is optional', () => {
    assert.equal(editedQuestion.parse({ type: 'text' }).id, undefined)
    assert.equal(editedAnswer.parse({}).id, undefined)
  })
})

describe('an association (product 3.2)', () => {
  const read = (association: unknown) =>
    editedAnswer.parse({ associations: [association] }).associations[0]
  const cases: [name: string, sent: unknown, expected: unknown][] = [
    [
      'the spelling of the API',
      { result_id: ID, weight: 3, is_checked: true },
      { result_id: ID, weight: 3, is_checked: true },
    ],
    [
      'the spelling of the editor’s form',
      { resultId: ID, weight: 3, isChecked: true },
      { result_id: ID, weight: 3, is_checked: true },
    ],
    [
      'a mixture of both spellings',
      { resultId: ID, is_checked: true },
      { result_id: ID, weight: 1, is_checked: true },
    ],
    [
      'a default weight of 1 without a tick',
      { resultId: ID },
      { result_id: ID, weight: 1, is_checked: false },
    ],
    [
      'a weight of 0',
      { result_id: ID, weight: 0, isChecked: false },
      { result_id: ID, weight: 0, is_checked: false },
    ],
    [
      'the form that the server returned, with its ids',
      { id: OTHER, answer_id: OTHER, result_id: ID, weight: 2, is_checked: true },
      { result_id: ID, weight: 2, is_checked: true },
    ],
  ]
  for (const [name, sent, expected] of cases)
    test(`an association is read in every form: ${name}`, () =>
      assert.deepEqual(read(sent), expected))

  test('both spellings of its fields give an equal association', () =>
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.boolean(), (weight, isChecked) => {
        assert.deepEqual(
          read({ resultId: ID, weight, isChecked }),
          read({ result_id: ID, weight, is_checked: isChecked }),
        )
      }),
    ))

  test('an association needs a result id, and the error has its path', () => {
    const refused = (association: unknown, field: string) =>
      assert.deepEqual(mistakes(editedAnswer, { associations: [{ resultId: ID }, association] }), [
        `associations.1.${field}`,
      ])
    refused({ isChecked: true }, 'result_id')
    refused({ resultId: 'temp_1' }, 'resultId')
    refused({ result_id: '' }, 'result_id')
    refused({ resultId: ID, isChecked: 'true' }, 'isChecked')
    for (const weight of [-1, 0.5, 1_000_001, '1', null])
      refused({ resultId: ID, weight }, 'weight')
  })
})

describe('an answer', () => {
  test('an answer has no text and no score by default, and 0 is a score', () => {
    assert.deepEqual(editedAnswer.parse({}), { text: '', score: null, associations: [] })
    assert.equal(editedAnswer.parse({ score: null }).score, null)
    assert.equal(editedAnswer.parse({ score: 0 }).score, 0)
    assert.equal(editedAnswer.parse({ score: -3 }).score, -3)
  })
  test('an answer has an integer score, and a rank from 0', () => {
    for (const score of [1.5, '1', 1_000_001])
      assert.deepEqual(mistakes(editedAnswer, { score }), ['score'])
    assert.deepEqual(mistakes(editedAnswer, { position: -1 }), ['position'])
  })
})

describe('a question', () => {
  test('a question is on page 1 by default, and loses fields that only the editor knows', () =>
    assert.deepEqual(
      editedQuestion.parse({ id: 'temp_1', type: 'email', isNew: true, quiz_id: OTHER }),
      { id: 'temp_1', type: 'email', text: '', page_number: 1, answers: [] },
    ))
  test('a question has a type of the closed list', () => {
    assert.deepEqual(mistakes(editedQuestion, {}), ['type'])
    assert.deepEqual(mistakes(editedQuestion, { type: 'tel' }), ['type'])
  })
  test('a question that is added alone has a UUID and never a temporary id', () => {
    const { body } = api.questions.create
    assert.deepEqual(mistakes(body, { id: ID, type: 'text' }), [])
    assert.deepEqual(mistakes(body, { id: 'temp_1', type: 'text' }), ['id'])
  })
})

describe('a whole draft (product 5.6)', () => {
  test('a whole draft needs questions, while blocks, thresholds and mode are optional', () => {
    assert.deepEqual(editedDraft.parse({ questions: [] }), {
      questions: [],
      text_blocks: [],
      score_thresholds: {},
    })
    assert.deepEqual(mistakes(editedDraft, {}), ['questions'])
  })

  test('a whole draft can have a mode or null', () => {
    for (const quiz_mode of ['score', 'profils', null])
      assert.equal(editedDraft.parse({ questions: [], quiz_mode }).quiz_mode, quiz_mode)
    assert.deepEqual(mistakes(editedDraft, { questions: [], quiz_mode: 'autre' }), ['quiz_mode'])
  })

  const thresholds = (bounds: unknown) =>
    editedDraft.safeParse({ questions: [], score_thresholds: { [ID]: bounds } })
  const bounds: [name: string, sent: unknown, expected: unknown][] = [
    ['both bounds', { min_score: 0, max_score: 4 }, { min_score: 0, max_score: 4 }],
    ['a bound that is left out is null', { min_score: 2 }, { min_score: 2, max_score: null }],
    [
      'a null bound stays null',
      { min_score: null, max_score: 9 },
      { min_score: null, max_score: 9 },
    ],
    ['no bound', {}, { min_score: null, max_score: null }],
    ['a minimum above the maximum', { min_score: 9, max_score: 1 }, { min_score: 9, max_score: 1 }],
  ]
  for (const [name, sent, expected] of bounds)
    test(`thresholds are read or refused as specified: ${name}`, () =>
      assert.deepEqual(thresholds(sent).data?.score_thresholds, { [ID]: expected }))

  test('thresholds are integers from 0, by result id', () => {
    for (const min_score of [-1, 0.5, '', '3'])
      assert.equal(thresholds({ min_score }).success, false, `${min_score}`)
    const score_thresholds = { temp_1: {} }
    assert.equal(editedDraft.safeParse({ questions: [], score_thresholds }).success, false)
  })

  test('a property name of every object is not a result id', () => {
    const sent: unknown = JSON.parse(
      '{"questions": [], "score_thresholds": {"__proto__": {"min_score": 1}}}',
    )
    assert.deepEqual(editedDraft.safeParse(sent).data?.score_thresholds ?? {}, {})
    assert.equal(Object.hasOwn(Object.prototype, 'min_score'), false)
  })
})

describe('the maximum counts (product 15.2)', () => {
  const question = { type: 'text' }
  const { saveAnswers } = api.questions
  const { saveAll } = api.results
  const counts: [
    name: string,
    max: number,
    shape: z.ZodType,
    path: string,
    (count: number) => unknown,
  ][] = [
    [
      'questions',
      500,
      editedDraft,
      'questions',
      (count) => ({ questions: times(count, question) }),
    ],
    [
      'text blocks',
      500,
      editedDraft,
      'text_blocks',
      (count) => ({ questions: [], text_blocks: times(count, { content: 'Bonjour' }) }),
    ],
    [
      'answers to a question',
      100,
      editedDraft,
      'questions.0.answers',
      (count) => ({ questions: [{ ...question, answers: times(count, {}) }] }),
    ],
    [
      'answers saved alone',
      100,
      saveAnswers.body,
      'answers',
      (count) => ({ answers: times(count, {}) }),
    ],
    [
      'associations of an answer',
      100,
      editedAnswer,
      'associations',
      (count) => ({ associations: times(count, { resultId: ID }) }),
    ],
    [
      'results',
      100,
      saveAll.body,
      'results',
      (count) => ({ results: times(count, { name: 'Lune' }) }),
    ],
    [
      'pages',
      100,
      editedDraft,
      'questions.0.page_number',
      (page_number) => ({ questions: [{ ...question, page_number }] }),
    ],
  ]
  for (const [name, max, shape, path, bodyOf] of counts)
    test(`a body accepts at most ${max} ${name}`, () => {
      assert.deepEqual(mistakes(shape, bodyOf(max)), [])
      assert.deepEqual(mistakes(shape, bodyOf(max + 1)), [path])
    })
})
