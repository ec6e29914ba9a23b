import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TierImpossibility } from '#domain/odds/dimension-odds.ts'
import { impossibleTierSentence, tierImpossibilityReason } from './tier-labels.ts'

const cases: [why: TierImpossibility, reason: string][] = [
  [{ kind: 'empty', from: 60, to: 40 }, 'il va de 60 à 40 %, il ne contient aucun pourcentage'],
  [{ kind: 'hidden' }, 'aucun parcours ne montre la dimension'],
  [
    { kind: 'covered', by: ['Faible', 'Moyen'] },
    'ses pourcentages reviennent à « Faible », « Moyen », plus haut dans la liste',
  ],
  [
    { kind: 'between', from: 26, to: 99, below: 25, above: 100 },
    'aucune combinaison de réponses ne donne de 26 à 99 %, le plus proche est 25 % ou 100 %',
  ],
  [
    { kind: 'between', from: 60, to: 100, below: 50, above: null },
    'aucune combinaison de réponses ne donne de 60 à 100 %, le plus proche est 50 %',
  ],
]
for (const [why, reason] of cases)
  test(`an impossible tier has the reason: ${reason}`, () =>
    assert.equal(tierImpossibilityReason(why).replaceAll('\u00a0', ' '), reason))

test('a warning names the tier and its dimension', () => {
  const why: TierImpossibility = { kind: 'hidden' }
  const about = { dimension_id: 'd', dimension_name: 'Santé', tier_id: 't', title: 'Fort' }
  assert.equal(
    impossibleTierSentence({ ...about, why }).replaceAll('\u00a0', ' '),
    'Le palier « Fort » de « Santé » ne peut pas sortir : aucun parcours ne montre la dimension.',
  )
})
