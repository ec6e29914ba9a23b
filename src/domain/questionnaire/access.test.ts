import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closedText, isClosed } from './access.ts'

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
