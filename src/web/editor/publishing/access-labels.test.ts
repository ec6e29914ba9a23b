import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccessSettings, accessNotes } from './access-labels.ts'

const NOON = '2026-06-01T12:00:00.000Z'
const clock = {
  now: Date.parse(NOON),
  sayOpening: (at: string) => `Ouvre à ${at}`,
  sayClosing: (at: string) => `Ferme à ${at}`,
}
const open: AccessSettings = {
  opens_at: null,
  closes_at: null,
  max_responses: null,
  nb_responses: 7,
}

const EARLIER = '2026-05-01T12:00:00.000Z'
const LATER = '2026-07-01T12:00:00.000Z'

for (const [name, quiz, expected] of [
  ['a quiz without limits has none', {}, []],
  ['an opening in the past is not mentioned', { opens_at: EARLIER }, []],
  [
    'a later opening is announced',
    { opens_at: LATER },
    [`Ouvre à ${LATER}. Avant cette date, le lien annonce l’ouverture.`],
  ],
  ['a later closing is announced', { closes_at: LATER }, [`Ferme à ${LATER}.`]],
  [
    'a past closing shows the closing message',
    { closes_at: EARLIER },
    [`Ferme à ${EARLIER}.`, 'Vos visiteurs lisent le message de clôture.'],
  ],
  [
    'a limit tells how many participants there are',
    { max_responses: 100 },
    ['Limité à 100 participants (7 à ce jour).'],
  ],
  [
    'a reached limit shows the closing message',
    { max_responses: 1 },
    ['Limité à 1 participant (7 à ce jour).', 'Vos visiteurs lisent le message de clôture.'],
  ],
] as const satisfies [string, Partial<AccessSettings>, string[]][])
  test(`the notes about access: ${name}`, () => {
    assert.deepEqual(accessNotes({ ...open, ...quiz }, clock), expected)
  })
