import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Result } from '#domain/quiz.ts'
import {
  createResult,
  type ResultsAction,
  resultsReducer,
  savedResults,
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
  updated_at: now,
})
const three = [result('Lune', 0), result('Soleil', 1), result('Mars', 2)]

describe('createResult', () => {
  test('trims the name', () => {
    assert.equal(createResult({ id: 'a', quiz_id, name: '  Lune ', now })?.name, 'Lune')
  })
  test('a blank name makes nothing', () => {
    assert.equal(createResult({ id: 'a', quiz_id, name: ' \t ', now }), undefined)
  })
})

describe('resultsReducer', () => {
  const cases: { name: string; action: ResultsAction; shows: [string, number][] }[] = [
    {
      name: 'a new result comes last',
      action: { type: 'added', result: result('Vénus', 0) },
      shows: [
        ['Lune', 0],
        ['Soleil', 1],
        ['Mars', 2],
        ['Vénus', 3],
      ],
    },
    {
      name: 'removing one closes the ranks',
      action: { type: 'removed', id: 'Lune' },
      shows: [
        ['Soleil', 0],
        ['Mars', 1],
      ],
    },
    {
      name: 'moving rewrites the ranks as the list index',
      action: { type: 'moved', from: 2, to: 0 },
      shows: [
        ['Mars', 0],
        ['Lune', 1],
        ['Soleil', 2],
      ],
    },
    {
      name: 'a name may be blank while it is typed',
      action: { type: 'renamed', id: 'Soleil', name: '' },
      shows: [
        ['Lune', 0],
        ['', 1],
        ['Mars', 2],
      ],
    },
  ]
  for (const { name, action, shows } of cases)
    test(name, () => {
      assert.deepEqual(
        resultsReducer(three, action).map((one) => [one.name, one.priority_order]),
        shows,
      )
    })

  test('an emptied description is none', () => {
    const described = resultsReducer(three, { type: 'described', id: 'Lune', description: 'Rêve' })
    assert.equal(described[0]?.description, 'Rêve')
    const emptied = resultsReducer(described, { type: 'described', id: 'Lune', description: '' })
    assert.equal(emptied[0]?.description, null)
  })
})

test('saving says nothing of thresholds, which another screen sets', () => {
  assert.deepEqual(savedResults([{ ...result('Lune', 0), min_score: 1, max_score: 2 }]), [
    { id: 'Lune', name: 'Lune', description: null, priority_order: 0 },
  ])
})
