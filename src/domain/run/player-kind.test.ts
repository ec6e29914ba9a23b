import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { playerKindOf } from './player-kind.ts'

test('the player is plain without images, welcome, detail and links, and dressed without other questions and tie rules', () => {
  const picture = { image_id: 'i' }
  const plain = draftOf({
    quiz: quizOf({ welcome_button: 'Allons-y', allows_restart: true }),
    questions: [questionOf('q', { answers: [answerOf('a', { text: 'x' })] })],
    results: [resultOf('r', { button_text: 'Écrire' })],
  })
  const kindOf = (more: object) => playerKindOf(takeSnapshot({ ...plain, ...more }))
  assert.equal(kindOf({}), 'plain')
  const dressed = [
    { quiz: quizOf({ welcome_text: 'Bonjour' }) },
    { quiz: quizOf({ shows_detail: true }) },
    { quiz: quizOf({ logo_image_id: 'i' }) },
    { results: [resultOf('r', { description: 'Un total de {{score}}' })] },
    { results: [resultOf('r', { button_url: 'https://exemple.fr' })] },
    { quiz: quizOf({ end_button_url: 'https://exemple.fr' }) },
    { results: [resultOf('r', { redirect_url: 'https://exemple.fr' })] },
    { results: [resultOf('r', picture)] },
    { questions: [questionOf('q', { ...picture, type: 'text' })] },
    { questions: [questionOf('q', { answers: [answerOf('a', { text: 'x', ...picture })] })] },
  ]
  for (const more of dressed) assert.equal(kindOf(more), 'dressed')
  const whole = [
    { quiz: quizOf({ tie_rule: 'both' }), quiz_mode: 'profils' as const },
    ...[
      { type: 'text' as const, help: 'Votre prénom' },
      { type: 'text' as const, is_required: false },
      { type: 'scale' as const },
      { type: 'date' as const },
      { max_choices: null },
      { has_other: true },
      { shuffles_answers: true },
      { answers: [answerOf('a', { jump_to: 0 })] },
    ].map((more) => ({ questions: [questionOf('q', { answers: [answerOf('a')], ...more })] })),
  ]
  for (const more of whole) {
    assert.equal(kindOf(more), 'whole')
    assert.equal(kindOf({ results: [resultOf('r', picture)], ...more }), 'whole')
  }
})
