import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeZoneName } from '#domain/common/time-zone-labels.ts'
import { closingSentence, openingSentence, unopenedText } from './access-sentences.ts'

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

test('the sentence about an opening has the form of the sentence about a closing', () => {
  const at = (opens_at: string) =>
    openingSentence(opens_at, { now, time_zone: 'Europe/Paris' }).replaceAll('\u00a0', ' ')
  assert.equal(at('2026-12-03T08:00:00Z'), 'Ouvre le jeudi 3 décembre à 9 h')
  assert.equal(at('2026-11-26T17:30:00Z'), 'Ouvre aujourd’hui à 18 h 30')
  assert.equal(at('2026-11-26T11:00:00Z'), 'Ouvert aujourd’hui à 12 h')
  assert.equal(at('2026-11-01T11:00:00Z'), 'Ouvert le dimanche 1er novembre à 12 h')
})

test('visitors read the day, the hour and the time zone of an opening, also on the same day', () => {
  const cases = [
    ['2026-12-03T08:00:00Z', 'Europe/Paris', 'jeudi 3 décembre à 9 h (heure de Paris)'],
    ['2026-11-26T17:30:00Z', 'Europe/Paris', 'jeudi 26 novembre à 18 h 30 (heure de Paris)'],
    [
      '2027-01-01T08:00:00Z',
      'Pacific/Noumea',
      'vendredi 1er janvier 2027 à 19 h (heure de Nouméa)',
    ],
  ] as const
  for (const [opens_at, time_zone, expected] of cases) {
    const time_zone_name = timeZoneName(time_zone)
    const text = unopenedText(opens_at, { now, time_zone, time_zone_name })
    assert.equal(text.replaceAll('\u00a0', ' '), `Ce questionnaire ouvre le ${expected}.`)
  }
})
