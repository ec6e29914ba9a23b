import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatDate, formatParticipants, formatPercentage } from './format.ts'

describe('formatDate', () => {
  test('a French date and time', () =>
    assert.match(formatDate('2026-03-09T12:00:00.000Z'), /^0?[89]\/03\/2026|^10\/03\/2026/))
  for (const missing of [null, '', 'hier'])
    test(`'-' for ${JSON.stringify(missing)}`, () => assert.equal(formatDate(missing), '-'))
})

describe('formatPercentage', () => {
  const cases: [number, string][] = [
    [0, '0\u00a0%'],
    [33.3, '33,3\u00a0%'],
    [100, '100\u00a0%'],
  ]
  for (const [value, expected] of cases)
    test(expected, () => assert.equal(formatPercentage(value), expected))
})

test('formatParticipants', () => {
  assert.equal(formatParticipants(1), '1 participant')
  assert.equal(formatParticipants(40), '40 participants')
})
