import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AnsweredVersion } from './asked-questions.ts'
import { everyDay, numberSummary, resultShares, tiersOf } from './figures.ts'

const versionOf = (version: number, nb_responses: number, names: string[]): AnsweredVersion => ({
  version,
  nb_responses,
  snapshot: {
    questions: [],
    results: names.map((name, rank) => ({
      id: `r${rank}`,
      name,
      description: null,
      priority_order: rank,
      min_score: null,
      max_score: null,
    })),
  },
})
const reached = (version: number, result_position: number, count: number) => ({
  version,
  result_position,
  count,
})

describe('resultShares', () => {
  test('every result has a line, also without participants, and the lines add up', () => {
    const shares = resultShares([versionOf(1, 3, ['Un', 'Deux'])], [reached(1, 1, 3)])
    assert.deepEqual(shares, [
      { result_name: 'Un', count: 0, percentage: 0, filter: 'r0' },
      { result_name: 'Deux', count: 3, percentage: 100, filter: 'r1' },
    ])
  })

  test('a renamed result has a line for each name, and participants without a result have a line', () => {
    const versions = [versionOf(1, 4, ['Un']), versionOf(2, 4, ['Premier'])]
    assert.deepEqual(resultShares(versions, [reached(1, 0, 3), reached(2, 0, 4)]), [
      { result_name: 'Premier', count: 4, percentage: 50, filter: 'r0@2' },
      { result_name: 'Un', count: 3, percentage: 37.5, filter: 'r0@1' },
      { result_name: 'Sans résultat', count: 1, percentage: 12.5 },
    ])
  })

  test('the result shares of a sondage have no lines', () =>
    assert.deepEqual(resultShares([versionOf(1, 4, [])], []), []))
})

describe('everyDay', () => {
  test('the list of days includes days without participants, also across months', () =>
    assert.deepEqual(
      everyDay([
        { day: '2026-03-02', count: 2 },
        { day: '2026-02-27', count: 1 },
      ]).map(({ day, count }) => `${day} ${count}`),
      ['2026-02-27 1', '2026-02-28 0', '2026-03-01 0', '2026-03-02 2'],
    ))

  test('a day with participants of several versions is counted as one day', () =>
    assert.deepEqual(
      everyDay([
        { day: '2026-03-02', count: 2 },
        { day: '2026-03-02', count: 3 },
      ]),
      [{ day: '2026-03-02', count: 5 }],
    ))

  test('a quiz without participants has no days, and a wrong clock does not give a huge list of days', () => {
    assert.deepEqual(everyDay([{ day: '2026-01-01', count: 0 }]), [])
    const far = [
      { day: '1970-01-01', count: 1 },
      { day: '2999-01-01', count: 1 },
    ]
    assert.deepEqual(everyDay(far), far)
  })
})

test('the figures of a number question count only numbers', () => {
  const texts = [
    { question_id: 'q', text: '10', count: 2 },
    { question_id: 'q', text: '10,0', count: 1 },
    { question_id: 'q', text: 'dix', count: 7 },
    { question_id: 'q', text: '40', count: 1 },
  ]
  const summary = numberSummary(texts)
  assert.deepEqual([summary?.count, summary?.mean, summary?.median], [4, 17.5, 10])
})

test('tiers are those of the newest version, lowest first, and results without scores have none', () => {
  const tiered = (version: number, bounds: [number | null, number | null][]): AnsweredVersion => {
    const { snapshot, ...taken } = versionOf(version, 1, ['Haut', 'Bas'])
    const results = snapshot.results.map((result, rank) => {
      const [min_score = null, max_score = null] = bounds[rank] ?? []
      return { ...result, min_score, max_score }
    })
    return { ...taken, snapshot: { ...snapshot, results } }
  }
  const newest = tiered(2, [
    [5, 10],
    [-3, 4],
  ])
  assert.deepEqual(tiersOf([tiered(1, [[0, 99]]), newest]), [
    { result_name: 'Bas', min: -3, max: 4 },
    { result_name: 'Haut', min: 5, max: 10 },
  ])
  assert.deepEqual(tiersOf([newest, tiered(3, [[null, null]])]), [])
  assert.deepEqual(tiersOf([]), [])
})
