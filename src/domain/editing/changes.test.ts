import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ENDING_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import type { Draft, Quiz } from '#domain/questionnaire/quiz.ts'
import { hasDifferentContent, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { editedDrafts } from '#domain/testing/draft-edits.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { applyChanges } from './apply-changes.ts'
import { changesBetween, hasNoChanges, NO_CHANGES, needsPublication } from './changes.ts'
import { SAVED_QUIZ_NAMES } from './draft-fields.ts'

const before = draftOf({
  results: [resultOf('calm'), resultOf('fast', { priority_order: 1 })],
  questions: [
    questionOf('pace', { answers: [answerOf('slow', { score: 1 }), answerOf('quick')] }),
    questionOf('mail', { type: 'email', position: 1, global_position: 1 }),
  ],
  text_blocks: [textBlockOf('hello', { global_position: 2, page_number: 2 })],
})
const [pace, mail] = before.questions
assert.ok(pace && mail)

describe('changesBetween', () => {
  test('a draft does not differ from itself or from a copy', () => {
    assert.deepEqual(changesBetween(before, before), NO_CHANGES)
    assert.deepEqual(changesBetween(before, structuredClone(before)), NO_CHANGES)
    assert.ok(hasNoChanges(changesBetween(before, before)))
  })

  const cases = [
    {
      name: 'a changed name is one field',
      after: { ...before, quiz: quizOf({ name: 'Autre' }) },
      changes: { quiz: { name: 'Autre' } },
    },
    {
      name: 'a reset colour is null',
      from: { ...before, quiz: quizOf({ bg_color: '#000000' }) },
      after: before,
      changes: { quiz: { bg_color: null } },
    },
    {
      name: 'one changed answer is one row with one field',
      after: {
        ...before,
        questions: [
          {
            ...pace,
            answers: pace.answers.with(0, {
              ...answerOf('slow', { score: 4 }),
              question_id: 'pace',
            }),
          },
          mail,
        ],
      },
      changes: { answers: [{ id: 'slow', question_id: 'pace', score: 4 }] },
    },
    {
      name: 'a ticked association is one association',
      after: {
        ...before,
        questions: [
          {
            ...pace,
            answers: pace.answers.with(1, {
              ...answerOf('quick', { counts_for: { fast: 1 } }),
              question_id: 'pace',
              position: 1,
            }),
          },
          mail,
        ],
      },
      changes: {
        associations: [{ answer_id: 'quick', result_id: 'fast', weight: 1, is_checked: true }],
      },
    },
    {
      name: 'a new row has every field, and a missing row has its id',
      after: {
        ...before,
        questions: [pace],
        text_blocks: [],
        results: [...before.results, resultOf('wild', { priority_order: 2 })],
      },
      changes: {
        results: [
          {
            id: 'wild',
            name: 'wild',
            description: null,
            priority_order: 2,
            min_score: null,
            max_score: null,
            ...ENDING_DEFAULTS,
          },
        ],
        removed: ['mail', 'hello'],
      },
    },
    {
      name: 'a cleared mode is contained',
      from: { ...before, quiz_mode: 'score' as const },
      after: before,
      changes: { quiz_mode: null },
    },
  ]
  test('jumps of the maximum number of answers are compared', () => {
    const answers = Array.from({ length: 25_000 }, (_, index) =>
      answerOf(`a${index}`, { jump_to: 2 }),
    )
    const from = draftOf({
      questions: [questionOf('pace', { answers })],
      text_blocks: [textBlockOf('next', { global_position: 1, page_number: 2 })],
    })
    const text_blocks = [textBlockOf('next', { global_position: 1, page_number: 3 })]
    const saved = changesBetween(from, { ...from, text_blocks }).answers
    assert.equal(saved.length, answers.length)
  })

  for (const { name, from = before, after, changes } of cases)
    test(`the difference of two drafts is minimal: ${name}`, () => {
      assert.deepEqual(changesBetween(from, after), { ...NO_CHANGES, ...changes })
    })
})

test('applying the changes between two drafts to the first gives the second', () => {
  fc.assert(
    fc.property(editedDrafts(1), ([first, second]) => {
      assert.ok(second)
      const applied = applyChanges(first, changesBetween(first, second))
      assert.deepEqual(changesBetween(applied, second), NO_CHANGES)
      assert.deepEqual(changesBetween(second, applied), NO_CHANGES)
    }),
    { numRuns: countCases(500) },
  )
})

describe('needsPublication', () => {
  const isPublicChange = (from: Draft, to: Draft): boolean =>
    hasDifferentContent(takeSnapshot(from), takeSnapshot(to))
  // Every field of this quiz is part of its snapshot.
  const quiz = quizOf({
    welcome_image_id: 'image',
    welcome_image_alt: 'Une plage',
    tie_rule: 'question',
    tie_question_id: 'pace',
  })
  const questions = [
    questionOf('pace', { answers: [answerOf('slow')] }),
    questionOf('mood', { answers: [answerOf('good')], position: 1, global_position: 1 }),
  ]
  const start = draftOf({ quiz, quiz_mode: 'profils', questions })
  const values: Partial<Quiz> = { type: 'sondage', tie_rule: 'both', tie_question_id: 'mood' }

  for (const name of SAVED_QUIZ_NAMES)
    test(`a changed field of the quiz needs a publication if its snapshot changes: ${name}`, () => {
      const { [name]: old } = quiz
      const value = values[name] ?? (typeof old === 'boolean' ? !old : 'autre')
      const changed = { ...start, quiz: { ...quiz, [name]: value } }
      const changes = changesBetween(start, changed)
      assert.deepEqual(changes.quiz, { [name]: value })
      assert.equal(needsPublication(changes), isPublicChange(start, changed))
    })

  test('an edit that changes the snapshot always needs a publication', () => {
    fc.assert(
      fc.property(editedDrafts(1), ([first, second]) => {
        assert.ok(second)
        const needed = needsPublication(changesBetween(first, second))
        assert.ok(needed || !isPublicChange(first, second))
      }),
      { numRuns: countCases(300) },
    )
  })

  test('an equal draft needs no publication, and a chosen mode needs one', () => {
    assert.ok(!needsPublication(NO_CHANGES))
    assert.ok(needsPublication({ ...NO_CHANGES, quiz_mode: 'score' }))
  })
})
