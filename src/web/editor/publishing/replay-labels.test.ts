import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedTiersText,
  type DimensionEffect,
  lostRepliesText,
  newestParticipantsText,
  newOrDeletedText,
  type ReplayAnswer,
  replayTitle,
  tierStateLabel,
  unchangedTiersText,
  unlistedMovesText,
  unlistedTierMovesText,
} from './replay-labels.ts'

const answerOf = (
  nb_replayed: number,
  nb_changed: number | null,
  nb_lost_replies = 0,
  dimensions: DimensionEffect[] = [],
): ReplayAnswer => ({
  dimensions,
  nb_participants: nb_replayed,
  nb_replayed,
  nb_lost_replies,
  nb_losing: nb_lost_replies,
  results: nb_changed === null ? null : { nb_changed, moves: [] },
})

const dimensionOf = (name: string, more: Partial<DimensionEffect> = {}): DimensionEffect => ({
  id: name,
  name,
  nb_compared: 46,
  nb_changed: 0,
  moves: [],
  nb_new: 0,
  nb_deleted: 0,
  ...more,
})

test('one sentence describes what publishing changes', () => {
  const said: [ReplayAnswer, string | null][] = [
    [answerOf(46, 12), '12 participants sur 46 obtiendraient un autre résultat'],
    [answerOf(46, 1), '1 participant sur 46 obtiendrait un autre résultat'],
    [answerOf(46, 0), 'Rien ne change pour vos 46 participants'],
    [answerOf(1, 0), 'Rien ne change pour votre participant'],
    [answerOf(46, 0, 3), 'Aucun de vos 46 participants n’obtiendrait un autre résultat'],
    [answerOf(1, 0, 3), 'Votre participant obtiendrait le même résultat'],
    [answerOf(46, null), 'Rien ne change pour vos 46 participants'],
    [answerOf(46, null, 3), null],
    [answerOf(46, 0, 0, [dimensionOf('Santé')]), 'Rien ne change pour vos 46 participants'],
    ...[{ nb_changed: 1 }, { nb_new: 1 }, { nb_deleted: 1 }].map(
      (effect): [ReplayAnswer, string] => [
        answerOf(46, 0, 0, [dimensionOf('Santé', effect)]),
        'Aucun de vos 46 participants n’obtiendrait un autre résultat',
      ],
    ),
  ]
  for (const [answer, sentence] of said) assert.equal(replayTitle(answer), sentence)
})

test('lost replies and left-out participants are named only if there are any', () => {
  assert.equal(lostRepliesText(answerOf(9, 0)), null)
  assert.equal(
    lostRepliesText(answerOf(9, 0, 3)),
    '3 réponses n’ont plus de correspondance (3 participants)',
  )
  assert.equal(
    lostRepliesText(answerOf(9, 0, 1)),
    '1 réponse n’a plus de correspondance (1 participant)',
  )
  assert.equal(newestParticipantsText(answerOf(9, 0)), null)
  assert.equal(
    newestParticipantsText({ ...answerOf(20_000, 0), nb_participants: 45_000 })?.replaceAll(
      /\s/g,
      ' ',
    ),
    'Calculé sur vos 20 000 participants les plus récents, sur 45 000.',
  )
  assert.equal(unlistedMovesText(1), 'Et 1 participant changerait entre d’autres résultats.')
})

test('sentences about tiers have the right number', () => {
  const [one, many] = [
    dimensionOf('Santé', { nb_changed: 1 }),
    dimensionOf('Amis', { nb_changed: 2 }),
  ]
  assert.equal(changedTiersText(one), '« Santé » : 1 participant sur 46 changerait de palier')
  assert.equal(changedTiersText(many), '« Amis » : 2 participants sur 46 changeraient de palier')
  assert.equal(unlistedTierMovesText(1), 'Et 1 participant changerait entre d’autres paliers.')
  assert.equal(unlistedTierMovesText(2), 'Et 2 participants changeraient entre d’autres paliers.')
  assert.deepEqual(
    [dimensionOf('Santé', { nb_new: 1 }), dimensionOf('Amis', { nb_deleted: 3 }), many].map(
      newOrDeletedText,
    ),
    ['« Santé » est nouvelle pour 1 participant.', '« Amis » disparaît pour 3 participants.', null],
  )
  assert.equal(tierStateLabel({ kind: 'tier', id: 't', title: 'Faible' }), 'Faible')
  assert.equal(tierStateLabel({ kind: 'no_tier' }), 'Aucun palier')
  assert.equal(tierStateLabel({ kind: 'hidden' }), 'Non affichée')
})

test('unchanged tiers are named apart from changed ones', () => {
  const changed = dimensionOf('Amis', { nb_changed: 2 })
  const added = dimensionOf('Argent', { nb_compared: 0, nb_new: 2 })
  assert.equal(unchangedTiersText([]), null)
  assert.equal(unchangedTiersText([changed, added]), null)
  assert.equal(
    unchangedTiersText([dimensionOf('Santé'), added]),
    'Aucun participant ne changerait de palier.',
  )
  assert.equal(
    unchangedTiersText([dimensionOf('Santé'), changed]),
    'Aucun participant ne changerait de palier dans les autres dimensions.',
  )
})
