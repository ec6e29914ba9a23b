import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Explanation } from '#domain/run/explanation.ts'
import { conclusionOf, pointsText, standingText } from './participant-labels.ts'

const given: Explanation = {
  quiz_mode: 'score',
  result_name: 'Grand saut',
  score: 5,
  contributions: [],
  standings: [],
  runner_up: { result_name: 'Pas à pas', margin: 1 },
  tie: null,
  is_fallback: false,
}

test('the conclusion of an explanation names the decisive reason', () => {
  assert.equal(
    conclusionOf(given),
    '«\u00a0Grand saut\u00a0» avec 5 points. Le plus proche ensuite, «\u00a0Pas à pas\u00a0», était à 1 point.',
  )
  const profils: Explanation = { ...given, quiz_mode: 'profils', score: null }
  assert.equal(
    conclusionOf(profils),
    '«\u00a0Grand saut\u00a0». 1 point de plus que «\u00a0Pas à pas\u00a0».',
  )
  assert.match(conclusionOf({ ...given, is_fallback: true }), /c’est le premier qui est donné/)
  const modeless: Explanation = { ...given, quiz_mode: null, score: null, runner_up: null }
  assert.match(conclusionOf(modeless), /Ce quiz ne compte pas de points/)
  for (const quiz_mode of [null, 'score', 'profils'] as const)
    assert.equal(
      conclusionOf({ ...given, quiz_mode, result_name: null }),
      'Ce questionnaire ne donne pas de résultat.',
    )
})

test('the conclusion of an explanation says how a tie was settled', () => {
  const settled = (
    settled_by: NonNullable<Explanation['tie']>['settled_by'],
    question_number: number | null = null,
    result_names = ['Pas à pas'],
  ) =>
    conclusionOf({
      ...given,
      quiz_mode: 'profils',
      score: null,
      runner_up: { result_name: 'Pas à pas', margin: 0 },
      tie: { result_names, settled_by, question_number },
    }).replaceAll('\u00a0', ' ')
  const three = ['Pas à pas', 'Grand calme']
  assert.equal(
    settled('order'),
    '« Grand saut ». À égalité avec « Pas à pas », qui vient après lui.',
  )
  assert.equal(
    settled('order', null, three),
    '« Grand saut ». À égalité avec « Pas à pas » et « Grand calme », qui viennent après lui.',
  )
  assert.equal(
    settled('question', 3),
    '« Grand saut ». À égalité avec « Pas à pas » : la réponse à la question 3 a départagé.',
  )
  assert.equal(
    settled('order', 3),
    '« Grand saut ». À égalité avec « Pas à pas », qui vient après lui. La question 3 ne les départageait pas.',
  )
  assert.equal(
    settled('all_shown'),
    '« Grand saut ». À égalité avec « Pas à pas » : les deux ont été montrés, c’est le premier qui compte.',
  )
  assert.match(settled('all_shown', null, three), /« Grand calme » : tous ont été montrés/)
})

test('points and tiers are written in French', () => {
  const answer = { question_text: '', answer_text: '', score: null, points: [] }
  assert.equal(pointsText({ ...answer, score: 0 }), '0 point')
  assert.equal(pointsText({ ...answer, score: -2 }), '-2 points')
  assert.equal(pointsText(answer), 'Aucun point')
  assert.equal(
    pointsText({ ...answer, points: [{ result_name: 'A', points: 1 }] }),
    '+1 point pour «\u00a0A\u00a0»',
  )
  const tier = { result_name: '', is_reached: false, points: null, min_score: 5, max_score: 9 }
  assert.equal(standingText({ ...tier, distance: 2 }), 'de 5 à 9, à 2 points près')
  assert.equal(standingText({ ...tier, max_score: null, distance: 0 }), '5 et plus')
  assert.equal(standingText({ ...tier, points: 3, distance: null }), '3 points')
})
