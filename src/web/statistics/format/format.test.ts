import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setZone } from '#web/ui/moments.ts'
import {
  formatDate,
  formatFound,
  formatMatching,
  formatNumber,
  formatParticipants,
  formatPercentage,
  formatPercentageOf,
  formatPoints,
} from './format.ts'

describe('formatDate', () => {
  const cases: [timestamp: string | null, expected: string][] = [
    ['2026-03-09T12:05:00.000Z', '09/03/2026 13:05'],
    ['2026-07-14T22:30:00Z', '15/07/2026 00:30'],
    [null, '-'],
    ['', '-'],
    ['hier', '-'],
  ]
  for (const [timestamp, expected] of cases)
    test(`the timestamp ${JSON.stringify(timestamp)} in Paris is formatted as ${expected}`, () =>
      assert.equal(formatDate(timestamp), expected))

  test('a date is written in the time zone of the account, whatever the zone of the browser', () => {
    setZone({ time_zone: 'Pacific/Noumea', time_zone_name: 'heure de Nouméa' })
    assert.equal(formatDate('2026-03-09T13:05:00Z'), '10/03/2026 00:05')
    setZone()
  })
})

describe('formatPercentage', () => {
  const cases: [number, string][] = [
    [0, '0\u00a0%'],
    [0.1, '0,1\u00a0%'],
    [33.3, '33,3\u00a0%'],
    [100, '100\u00a0%'],
  ]
  for (const [value, expected] of cases)
    test(`formatPercentage returns ${expected}`, () =>
      assert.equal(formatPercentage(value), expected))
})

describe('formatPercentageOf', () => {
  const cases: [count: number, total: number, expected: string][] = [
    [0, 0, '0\u00a0%'],
    [0, 5_000, '0\u00a0%'],
    [1, 5_000, '<\u00a00,1\u00a0%'],
    [3, 5_000, '0,1\u00a0%'],
    [1, 6, '16,7\u00a0%'],
    [50, 5_000, '1\u00a0%'],
    [1, 3, '33,3\u00a0%'],
    [3, 3, '100\u00a0%'],
  ]
  for (const [count, total, expected] of cases)
    test(`${count} of ${total} is formatted as ${expected}`, () =>
      assert.equal(formatPercentageOf(count, total), expected))
})

describe('formatParticipants', () => {
  const cases: [number, string][] = [
    [0, '0 participant'],
    [1, '1 participant'],
    [2, '2 participants'],
    [40, '40 participants'],
  ]
  for (const [count, expected] of cases)
    test(`${count} is formatted as ${expected}`, () =>
      assert.equal(formatParticipants(count), expected))
})

test('a filtered count includes the total, and numbers have at most two decimals', () => {
  assert.equal(formatMatching(38, 112), '38 sur 112 participants')
  assert.equal(formatMatching(0, 1), '0 sur 1 participant')
  assert.equal(formatNumber(1234.567), '1\u202f234,57')
})

test('a search result states how many participants were found', () => {
  assert.equal(formatFound(0, true), 'Aucun participant ne correspond à cette recherche.')
  assert.equal(formatFound(1, true), '1 participant trouvé')
  assert.equal(formatFound(2, true), '2 participants trouvés')
  assert.equal(formatFound(100, false), '100 participants affichés')
})

test('formatPoints writes points in the singular from -1 to 1', () =>
  assert.deepEqual([-2, -1, 0, 1, 12].map(formatPoints), [
    '-2 points',
    '-1 point',
    '0 point',
    '1 point',
    '12 points',
  ]))
