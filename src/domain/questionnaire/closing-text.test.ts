import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closingSentence } from './closing-text.ts'

const now = Date.parse('2026-11-26T11:00:00Z')

for (const [closes_at, time_zone, expected] of [
  ['2026-12-15T17:00:00Z', 'Europe/Paris', 'Fermera le mardi 15 décembre à 18 h'],
  ['2026-12-15T17:30:00Z', 'Europe/Paris', 'Fermera le mardi 15 décembre à 18 h 30'],
  ['2026-12-15T17:05:00Z', 'Pacific/Noumea', 'Fermera le mercredi 16 décembre à 4 h 05'],
  ['2026-12-01T08:00:00Z', 'Europe/Paris', 'Fermera le mardi 1er décembre à 9 h'],
  ['2027-07-14T22:00:00Z', 'Europe/Paris', 'Fermera le jeudi 15 juillet 2027 à 0 h'],
  ['2026-11-26T17:00:00Z', 'Europe/Paris', 'Fermera aujourd’hui à 18 h'],
  ['2026-11-26T17:00:00Z', 'Pacific/Noumea', 'Fermera le vendredi 27 novembre à 4 h'],
  ['2026-11-26T11:00:00Z', 'Europe/Paris', 'Fermé aujourd’hui à 12 h'],
  ['2026-01-02T11:00:00Z', 'Europe/Paris', 'Fermé le vendredi 2 janvier à 12 h'],
  ['2025-12-31T23:30:00Z', 'Europe/Paris', 'Fermé le jeudi 1er janvier à 0 h 30'],
] as const)
  test(`the closing at ${closes_at} reads « ${expected} » in ${time_zone}`, () => {
    const text = closingSentence(closes_at, { now, time_zone })
    assert.equal(text.replaceAll('\u00a0', ' '), expected)
    // The hour stays on one line.
    assert.match(text, /à \d+\u00a0h(?:\u00a0\d\d)?$/)
  })
