import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areDatesInOrder, closedText, isClosed, isUnopened, misplacedDate } from './access.ts'

const NOON = '2026-03-09T12:00:00.000Z'
const noon = Date.parse(NOON)

test('a quiz is closed from its closing date, or when its participant limit is reached', () => {
  const cases: [Parameters<typeof isClosed>[0], now: number, expected: boolean][] = [
    [{ closes_at: null, max_responses: null, nb_responses: 9_999 }, noon, false],
    [{ closes_at: NOON, max_responses: null, nb_responses: 0 }, noon - 1, false],
    [{ closes_at: NOON, max_responses: null, nb_responses: 0 }, noon, true],
    [{ closes_at: null, max_responses: 3, nb_responses: 2 }, noon, false],
    [{ closes_at: null, max_responses: 3, nb_responses: 3 }, noon, true],
    [{ closes_at: null, max_responses: 3, nb_responses: 4 }, noon, true],
    [{ closes_at: NOON, max_responses: 3, nb_responses: 0 }, noon + 1, true],
  ]
  for (const [access, now, expected] of cases)
    assert.equal(isClosed(access, now), expected, JSON.stringify([access, now - noon]))
})

test('the message of a closed quiz is the creator’s text, unless it is blank', () => {
  assert.equal(closedText(null), 'Ce questionnaire est clos.')
  assert.equal(closedText(' \n'), 'Ce questionnaire est clos.')
  assert.equal(closedText(' À bientôt ! '), 'À bientôt !')
})

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

test('the date that an edit changed is the one that is refused', () => {
  const none = { opens_at: null, closes_at: null }
  const same = { opens_at: NOON, closes_at: NOON }
  assert.equal(misplacedDate(none, { ...none, opens_at: NOON }), undefined)
  assert.equal(misplacedDate({ ...none, opens_at: NOON }, same), 'closes_at')
  assert.equal(misplacedDate({ ...none, closes_at: NOON }, same), 'opens_at')
  assert.equal(misplacedDate(none, same), 'opens_at')
})
