import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { readTexts } from '#domain/run/rich-text.ts'
import { dimensionOf, textVariantOf, tierOf } from '#domain/testing/draft-dimensions.ts'
import { answerOf, draftOf, drafts, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { withUnlistedFields } from '#domain/testing/unlisted-fields.ts'
import { publicSnapshot } from './public-snapshot.ts'
import { visitorSnapshot } from './visitor-snapshot.ts'

const solved = questionOf('q', {
  max_choices: null,
  explanation: 'Parce que *oui*.',
  answers: [answerOf('a', { score: 3, is_correct: true }), answerOf('b', { score: 0 })],
})
const results = [resultOf('bas', { min_score: 0, max_score: 9 })]
const shownOf = (more: Partial<Draft>) =>
  publicSnapshot(takeSnapshot(draftOf({ results, quiz_mode: 'score', ...more })))

describe('what visitors may see of a version', () => {
  test('a new field of any part of a version is not public until it is listed', () => {
    const draft = draftOf({
      quiz: quizOf({ shows_corrections: 'end' }),
      results,
      quiz_mode: 'score',
      questions: [{ ...solved, all_or_nothing: true }],
      dimensions: [dimensionOf('d', { tiers: [tierOf('t', 0, 100)] })],
      text_variants: [
        textVariantOf('v', { conditions: [{ kind: 'total_between', from: 1, to: 2 }] }),
      ],
    })
    const snapshot = takeSnapshot(draft)
    const [question] = snapshot.questions
    if (question) question.consent = { version: 1, text: 'Oui' }
    assert.ok(snapshot.dimensions?.length && snapshot.text_variants?.length)
    const grown = withUnlistedFields(snapshot)
    assert.match(JSON.stringify(grown), /unlisted/)
    assert.deepEqual(publicSnapshot(grown), publicSnapshot(snapshot))
    const read = withUnlistedFields(readTexts(snapshot, (text) => text))
    for (const shown of [publicSnapshot(grown), publicSnapshot(read), visitorSnapshot(read)])
      assert.doesNotMatch(JSON.stringify(shown), /unlisted/)
  })

  test('every field of today stays public, in its order, if corrections are shown', () =>
    fc.assert(
      fc.property(drafts, (draft) => {
        const { text_variants = [], ...snapshot } = takeSnapshot(draft)
        const quiz = { ...snapshot.quiz, type: 'quiz', shows_corrections: 'end' } as const
        const questions = snapshot.questions.map(
          ({ explanation: _, all_or_nothing: __, ...question }) => ({
            ...question,
            answers: question.answers.map(({ is_correct: ___, ...answer }) => answer),
          }),
        )
        const plain = { ...snapshot, quiz, questions, text_variants: undefined }
        assert.ok(text_variants)
        assert.equal(JSON.stringify(publicSnapshot(plain)), JSON.stringify(plain))
      }),
    ))

  test('without corrections no answer is said to be right, and nothing is explained', () => {
    for (const quiz_mode of ['score', 'profils', null] as const)
      assert.doesNotMatch(
        JSON.stringify(shownOf({ quiz_mode, questions: [solved] })),
        /is_correct|explanation|all_or_nothing|Parce que/,
      )
  })

  test('with corrections, right answers and explanations are public', () => {
    const quiz = quizOf({ shows_corrections: 'page' })
    const json = JSON.stringify(shownOf({ quiz, questions: [solved] }))
    assert.match(json, /"is_correct":true/)
    assert.match(json, /Parce que/)
  })

  test('right answers that decide the points stay, because the browser computes the total', () => {
    const json = JSON.stringify(shownOf({ questions: [{ ...solved, all_or_nothing: true }] }))
    assert.match(json, /"is_correct":true/)
    assert.doesNotMatch(json, /Parce que/)
  })

  test('texts that only mails contain are not public', () => {
    const text_variants = [
      textVariantOf('m', { place: 'mail', text: 'Pour vous seul' }),
      textVariantOf('e', { place: 'every_result', text: 'Pour tous' }),
    ]
    const json = JSON.stringify(shownOf({ questions: [solved], text_variants }))
    assert.doesNotMatch(json, /Pour vous seul/)
    assert.match(json, /Pour tous/)
  })
})
