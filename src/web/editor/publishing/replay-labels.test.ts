import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  lostRepliesText,
  newestParticipantsText,
  type ReplayAnswer,
  replayTitle,
  unlistedMovesText,
} from './replay-labels.ts'

const answerOf = (
  nb_replayed: number,
  nb_changed: number | null,
  nb_lost_replies = 0,
): ReplayAnswer => ({
  ...{ nb_participants: nb_replayed, nb_replayed, nb_lost_replies, nb_losing: nb_lost_replies },
  results: nb_changed === null ? null : { nb_changed, moves: [] },
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
