import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { ENDING_DEFAULTS, QUESTION_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import type { Result } from '#domain/questionnaire/quiz.ts'
import { answerOf } from '#domain/testing/drafts.ts'
import {
  createResult,
  haveSameLinks,
  type ResultsAction,
  resultsAnnouncement,
  resultsReducer,
  withResults,
} from './results-reducer.ts'

const quiz_id = '00000000-0000-4000-8000-000000000000'
const now = '2026-01-01T00:00:00.000Z'
const result = (name: string, priority_order: number): Result => ({
  id: name,
  quiz_id,
  name,
  description: null,
  priority_order,
  min_score: null,
  max_score: null,
  ...ENDING_DEFAULTS,
  updated_at: now,
})
const three = [result('Lune', 0), result('Soleil', 1), result('Mars', 2)]

describe('createResult', () => {
  test('createResult trims the name', () => {
    assert.equal(createResult({ id: 'a', quiz_id, name: '  Lune ', now })?.name, 'Lune')
  })
  test('a blank name creates no result', () => {
    assert.equal(createResult({ id: 'a', quiz_id, name: ' \t ', now }), undefined)
  })
})

describe('resultsReducer', () => {
  const cases: { name: string; action: ResultsAction; shows: [string, number][] }[] = [
    {
      name: 'a new result is last',
      action: { type: 'added', row: result('Vénus', 0) },
      shows: [
        ['Lune', 0],
        ['Soleil', 1],
        ['Mars', 2],
        ['Vénus', 3],
      ],
    },
    {
      name: 'removing a result renumbers the others',
      action: { type: 'removed', id: 'Lune' },
      shows: [
        ['Soleil', 0],
        ['Mars', 1],
      ],
    },
    {
      name: 'moving a result renumbers all results',
      action: { type: 'moved', from: 2, to: 0 },
      shows: [
        ['Mars', 0],
        ['Lune', 1],
        ['Soleil', 2],
      ],
    },
    {
      name: 'a name may be blank while it is typed',
      action: { type: 'changed', id: 'Soleil', fields: { name: '' } },
      shows: [
        ['Lune', 0],
        ['', 1],
        ['Mars', 2],
      ],
    },
  ]
  for (const { name, action, shows } of cases)
    test(`resultsReducer handles an action: ${name}`, () => {
      assert.deepEqual(
        resultsReducer(three, action).map((shown) => [shown.name, shown.priority_order]),
        shows,
      )
    })

  test('an empty description is stored as null', () => {
    const described = resultsReducer(three, {
      type: 'changed',
      id: 'Lune',
      fields: { description: 'Rêve' },
    })
    assert.equal(described[0]?.description, 'Rêve')
    const emptied = resultsReducer(described, {
      type: 'changed',
      id: 'Lune',
      fields: { description: '' },
    })
    assert.equal(emptied[0]?.description, null)
  })
})

test('the filled links of a result are copied to all results, up to the largest number of them', () => {
  const button_url = 'https://exemple.fr'
  const others: Result[] = Array.from({ length: LIMITS.results }, (_, rank) => ({
    ...result(`R${rank}`, rank),
    redirect_url: 'https://exemple.fr/suite',
  }))
  const source = { ...result('R7', 7), button_text: 'Nous écrire', button_url }
  const before = others.with(7, source)
  const after = resultsReducer(before, { type: 'links_copied', id: 'R7' })
  assert.equal(after.length, LIMITS.results)
  assert.ok(
    after.every(
      (result) => result.button_text === 'Nous écrire' && result.button_url === button_url,
    ),
  )
  assert.deepEqual(
    after.map(({ redirect_url }) => redirect_url),
    before.map(({ redirect_url }) => redirect_url),
  )
  assert.ok(!haveSameLinks(before, source) && haveSameLinks(after, source))
  assert.equal(resultsReducer(after, { type: 'links_copied', id: 'R7' }), after)
})

test('removing a result removes its associations and no other associations', () => {
  const links = ['Lune', 'Mars'].map((result_id) => ({
    id: `a ${result_id}`,
    answer_id: 'a',
    result_id,
    weight: 1,
    is_checked: true,
  }))
  const question = {
    id: 'q',
    quiz_id: 'quiz',
    text: 'Où ?',
    type: 'multiple_choice' as const,
    position: 0,
    global_position: 0,
    page_number: 1,
    ...QUESTION_DEFAULTS,
    answers: [answerOf('a', { question_id: 'q', text: 'Ici', associations: links })],
  }
  const other = { ...question, id: 'other', answers: [] }
  const draft = { results: three, questions: [question, other] }
  const { results, questions } = withResults(draft, { type: 'removed', id: 'Mars' })
  assert.deepEqual(
    results.map(({ id }) => id),
    ['Lune', 'Soleil'],
  )
  assert.deepEqual(questions[0]?.answers[0]?.associations, links.slice(0, 1))
  assert.equal(questions[1], other)
})

describe('the announcements of actions on results', () => {
  const cases: [of: string, action: ResultsAction, said: string | undefined][] = [
    [
      'a new result',
      { type: 'added', row: result('Mars', 2) },
      '« Mars » ajouté : position 3 sur 3',
    ],
    ['a move', { type: 'moved', from: 2, to: 1 }, '« Soleil » déplacé : position 2 sur 3'],
    [
      'a drag, which announces its own end',
      { type: 'moved', from: 2, to: 1, is_dragged: true },
      undefined,
    ],
    [
      'typing, which is not announced',
      { type: 'changed', id: 'Lune', fields: { name: 'L' } },
      undefined,
    ],
  ]
  for (const [of, action, said] of cases)
    test(`the announcement of an action on results is correct: ${of}`, () =>
      assert.equal(resultsAnnouncement(three, action), said))
})
