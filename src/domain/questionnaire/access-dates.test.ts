import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areDatesInOrder, isUnopened, misplacedDate } from './access-dates.ts'

const NOON = '2026-03-09T12:00:00.000Z'
const noon = Date.parse(NOON)

test('a quiz is open from its opening date', () => {
  assert.equal(isUnopened({ opens_at: null }, noon), false)
  assert.equal(isUnopened({ opens_at: NOON }, noon - 1), true)
  assert.equal(isUnopened({ opens_at: NOON }, noon), false)
  assert.equal(isUnopened({ opens_at: NOON }, noon + 1), false)
})

test('a quiz opens before it closes, whatever the spelling of the times', () => {
  const later = '2026-03-09T13:30:00+01:00'
  const cases: [opens_at: string | null, closes_at: string | null, expected: boolean][] = [
    [null, null, true],
    [NOON, null, true],
    [null, NOON, true],
    [NOON, later, true],
    [NOON, NOON, false],
    [NOON, '2026-03-09T13:00:00+01:00', false],
    [later, NOON, false],
  ]
  for (const [opens_at, closes_at, expected] of cases)
    assert.equal(areDatesInOrder({ opens_at, closes_at }), expected, `${opens_at} ${closes_at}`)
})

test('an edit with contradictory dates is refused at the changed date', () => {
  const none = { opens_at: null, closes_at: null }
  const same = { opens_at: NOON, closes_at: NOON }
  assert.equal(misplacedDate(none, { ...none, opens_at: NOON }), undefined)
  assert.equal(misplacedDate({ ...none, opens_at: NOON }, same), 'closes_at')
  assert.equal(misplacedDate({ ...none, closes_at: NOON }, same), 'opens_at')
  assert.equal(misplacedDate(none, same), 'opens_at')
})
