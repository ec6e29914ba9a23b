import assert from 'node:assert/strict'
import { test } from 'node:test'
import { funnelOf } from '#domain/statistics/visits.ts'
import { formatDuration } from '#web/statistics/format/format.ts'
import { countStopsAfter, selectFunnelSteps, stepText } from './visit-labels.ts'

test('each step has a text and a number of visits that ended there', () => {
  const steps = funnelOf(
    [
      { step: 1, count: 10 },
      { step: 2, count: 8 },
      { step: 3, count: 7 },
    ],
    { nb_pages: 2, nb_participants: 5 },
  )
  assert.deepEqual(
    steps.map((step, rank) => [stepText(step), countStopsAfter(steps, rank)]),
    [
      ['Page ouverte', 2],
      ['Première réponse donnée', 1],
      ['Page 2 atteinte', 2],
      ['Terminé', null],
    ],
  )
})

test('a long funnel keeps its ends and its largest losses', () => {
  const funnel = (counts: number[]) =>
    counts.map((count, rank) => ({ kind: 'page' as const, page: rank, count }))
  assert.deepEqual(selectFunnelSteps(funnel([9, 8, 7, 6, 5, 4, 3])), [0, 1, 2, 3, 4, 5, 6])
  assert.deepEqual(
    selectFunnelSteps(funnel([100, 99, 98, 60, 59, 58, 40, 39, 30, 29, 10])),
    [0, 1, 2, 5, 7, 9, 10],
  )
  // Without losses the first pages are drawn.
  assert.deepEqual(selectFunnelSteps(funnel(Array(9).fill(5))), [0, 1, 2, 3, 4, 5, 8])
})

test('a duration is shown in its largest units', () => {
  const wanted: [seconds: number, words: string][] = [
    [0, '0 s'],
    [45.5, '45,5 s'],
    [60, '1 min'],
    [75, '1 min 15 s'],
    [3_600, '1 h'],
    [7_199, '1 h 59 min 59 s'],
  ]
  for (const [seconds, words] of wanted)
    assert.equal(formatDuration(seconds), words.replaceAll(' ', '\u00a0'))
})
