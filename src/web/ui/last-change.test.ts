import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatExactTime, formatRelativeTime, setZone } from './moments.ts'

/** 15 March 2026, 00:30 in Paris. */
const NOW = Date.parse('2026-03-14T23:30:00Z')
const said: [timestamp: string, text: string][] = [
  ['2026-03-14T23:35:00Z', 'à l’instant'],
  ['2026-03-14T23:29:30Z', 'à l’instant'],
  ['2026-03-14T23:05:00Z', 'il y a 25\u00a0min'],
  // Ten minutes before midnight in Paris, on the previous day.
  ['2026-03-14T22:50:00Z', 'hier'],
  ['2026-03-13T12:00:00Z', 'avant-hier'],
  ['2026-03-12T12:00:00Z', 'il y a 3 jours'],
  ['2026-03-08T23:30:00Z', 'il y a 6 jours'],
  ['2026-03-08T12:00:00Z', 'le 8 mars'],
  ['2025-12-31T12:00:00Z', 'le 31 décembre 2025'],
]
for (const [timestamp, text] of said)
  test(`the last change at ${timestamp} is written as '${text}'`, () =>
    assert.equal(formatRelativeTime(timestamp, NOW), text))

test('the text about the last change names hours only within the same day', () => {
  assert.equal(
    formatRelativeTime('2026-03-15T09:10:00Z', Date.parse('2026-03-15T12:00:00Z')),
    'il y a 2\u00a0h',
  )
})

test('the exact time of the last change is in the zone of the account, and names the zone unless it is Paris', () => {
  assert.equal(formatExactTime('2026-03-14T23:05:00Z'), '15 mars 2026 à 00:05')
  setZone({ time_zone: 'Pacific/Noumea', time_zone_name: 'heure de Nouméa' })
  assert.equal(formatExactTime('2026-03-14T23:05:00Z'), '15 mars 2026 à 10:05 (heure de Nouméa)')
  assert.equal(formatRelativeTime('2026-03-14T12:30:00Z', NOW), 'hier')
  setZone()
})
