import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Impossibility } from '#domain/odds/impossible-results.ts'
import {
  allTotalsSentence,
  emptyInsertions,
  impossibilityReason,
  impossibleResultSentence,
  probabilityLabel,
  sampleSizeSentence,
  totalsInTwoTiersSentence,
  totalsWithoutResultSentence,
} from './odds-labels.ts'

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

const shares: [number, string][] = [
  [0, '0 %'],
  [0.0004, '< 0,1 %'],
  [0.001, '0,1 %'],
  [0.2139, '21,4 %'],
  [0.9995, '> 99,9 %'],
  [1 - 1e-15, '100 %'],
  [1 + 1e-15, '100 %'],
]
for (const [probability, words] of shares)
  test(`the probability ${probability} is written as ${words}`, () =>
    assert.equal(plain(probabilityLabel(probability)), words))

test('a sentence states whether the odds are exact or estimated, and on how many runs', () => {
  const exact = { is_exact: true, nb_simulated_runs: 0, margin: 0 }
  const words = (nb_combinations: number | null): string =>
    plain(sampleSizeSentence({ ...exact, nb_combinations }))
  assert.equal(words(243), 'Calcul exact sur 243 combinaisons.')
  assert.equal(words(59_049), 'Calcul exact sur 59 049 combinaisons.')
  assert.equal(words(1), 'Calcul exact sur la seule combinaison.')
  assert.equal(words(null), 'Calcul exact sur toutes les combinaisons.')
  assert.equal(
    plain(
      sampleSizeSentence({
        is_exact: false,
        nb_combinations: null,
        nb_simulated_runs: 200_000,
        margin: 0.0021913,
      }),
    ),
    'Estimation sur 200 000 tirages, à ± 0,22 point près.',
  )
})

const A = { id: 'a', name: 'Avancer' }
const B = { id: 'b', name: 'Bâtir' }
const tier = { from: 13, to: 15 }
const proofs: [Impossibility, string][] = [
  [
    { kind: 'tier_above', tier, totals: { from: 3, to: 12 } },
    'le total va de 3 à 12, son palier commence à 13',
  ],
  [
    { kind: 'tier_above', tier, totals: { from: 3, to: 3 } },
    'le total est toujours 3, son palier commence à 13',
  ],
  [
    { kind: 'tier_below', tier, totals: { from: 20, to: 30 } },
    'le total va de 20 à 30, son palier finit à 15',
  ],
  [
    { kind: 'tier_between', tier, below: 12, above: 18 },
    'aucune combinaison de réponses ne donne un total de 13 à 15, les plus proches sont 12 et 18',
  ],
  [
    { kind: 'tier_between', tier: { from: 13, to: 13 }, below: 12, above: 18 },
    'aucune combinaison de réponses ne donne un total de 13, les plus proches sont 12 et 18',
  ],
  [
    { kind: 'tier_covered', tier, by: [A] },
    'tous les totaux de son palier reviennent à « Avancer », qui passe avant',
  ],
  [
    { kind: 'tier_covered', tier, by: [A, B] },
    'tous les totaux de son palier reviennent à « Avancer » et « Bâtir », qui passent avant',
  ],
  [
    { kind: 'tier_empty', tier: { from: 8, to: 3 } },
    'son palier commence à 8 et finit à 3, il ne contient aucun total',
  ],
  [{ kind: 'no_answer' }, 'aucune réponse n’y mène'],
  [{ kind: 'always_fewer', than: A }, '« Avancer » a toujours plus de points'],
  [
    { kind: 'loses_ties', to: A },
    'il n’a jamais plus de points que « Avancer », qui passe avant en cas d’égalité',
  ],
  [
    { kind: 'never_highest', nb_combinations: 4_096 },
    'aucune des 4 096 combinaisons de réponses ne lui donne la première place',
  ],
  [
    { kind: 'never_highest', nb_combinations: null },
    'aucune combinaison de réponses ne lui donne la première place',
  ],
]
for (const [why, words] of proofs)
  test(`the reason ${why.kind} is written as: ${words}`, () =>
    assert.equal(plain(impossibilityReason(why)), words))

test('the sentence about an impossible result has its name and the reason', () => {
  const why = { kind: 'tier_above', tier, totals: { from: 3, to: 12 } } as const
  assert.equal(
    plain(impossibleResultSentence({ name: 'Prêt à ouvrir', why })),
    '« Prêt à ouvrir » ne peut pas sortir : le total va de 3 à 12, son palier commence à 13.',
  )
})

test('sentences about totals name those without a result or in two tiers, or say that all have a result', () => {
  const totals = [1, 2, 3, 6].map((total) => ({ total, probability: 0.25 }))
  assert.equal(allTotalsSentence({ totals }), 'Tous les totaux de 1 à 6 mènent à un résultat.')
  assert.equal(
    allTotalsSentence({ totals: totals.slice(0, 1) }),
    'Le total est toujours 1, il mène à un résultat.',
  )
  assert.equal(allTotalsSentence({ totals: [] }), undefined)
  assert.equal(
    plain(totalsWithoutResultSentence({ from: 1, to: 2, probability: 0.5 })),
    'Totaux de 1 à 2 sans résultat (50 %).',
  )
  assert.equal(
    plain(totalsInTwoTiersSentence({ from: 6, to: 6, probability: 0.25, names: ['R0', 'R1'] })),
    'Total 6 dans deux paliers (25 %) : « R0 » passe avant « R1 ».',
  )
})

test('each insertion of dimensions has the share of runs that leave it empty, with a sign for an estimate', () => {
  const dimension = {
    id: 'd',
    name: 'Santé',
    is_exact: true,
    margin: 0,
    percents: [],
    tiers: [],
    no_tier_probability: 0,
    hidden_probability: 0.25,
  }
  const shares = emptyInsertions([dimension], {
    empty_probability: 0.125,
    is_exact: false,
    margin: 0.01,
  })
  assert.deepEqual(
    shares.map(({ name, label }) => `${name} ${label}`.replace(/\s/g, ' ')),
    ['point fort ≈ 12,5 %', 'point faible ≈ 12,5 %', 'dimension Santé 25 %'],
  )
})
