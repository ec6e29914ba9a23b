import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Draft } from '#domain/quiz.ts'
import {
  answerOf,
  draftOf,
  drafts,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/test-drafts.ts'
import { colorsOf, copyName, duplicateDraft } from './duplicate-draft.ts'

/** The unified content of a draft, as the server gives it. */
const contentOf = ({ questions, text_blocks, results, quiz_mode }: Draft) => ({
  questions,
  text_blocks,
  results,
  quiz_mode,
  score_thresholds: Object.fromEntries(
    results.map(({ id, min_score, max_score }) => [id, { min_score, max_score }]),
  ),
})

const duplicate = (draft: Draft) => {
  let count = 0
  return duplicateDraft(contentOf(draft), () => `copy-${++count}`)
}
type Copy = ReturnType<typeof duplicate>

const idsOf = ({ results, draft: { questions, text_blocks } }: Copy) => {
  const answers = questions.flatMap((question) => question.answers)
  return [...results, ...questions, ...answers, ...text_blocks].map(({ id }) => id)
}

test('a copy is called one, within the longest name that there is', () => {
  assert.equal(copyName('Quel rythme ?'), 'Quel rythme ? (copie)')
  assert.equal(copyName('x'.repeat(100)), `${'x'.repeat(92)} (copie)`)
  assert.equal(copyName(`${'x'.repeat(91)}😀`), `${'x'.repeat(91)} (copie)`)
})

test('the colours of a copy are the five of the original, those never set included', () => {
  const colors = colorsOf(quizOf({ bg_color: '#112233', accent_color: '#445566' }))
  assert.deepEqual(colors, {
    bg_color: '#112233',
    text_color: null,
    button_color: null,
    button_text_color: null,
    accent_color: '#445566',
  })
})

test('everything but the ids is kept', () => {
  const original = draftOf({
    quiz_mode: 'profils',
    results: [
      resultOf('r1', { name: 'Calme', description: 'Doucement.', min_score: 1, max_score: 4 }),
      resultOf('r2', { name: 'Vif', priority_order: 1 }),
    ],
    questions: [
      questionOf('q1', {
        text: 'Le matin ?',
        global_position: 1,
        page_number: 2,
        answers: [answerOf('a1', { counts_for: { r2: 3, r1: 0 } }), answerOf('a2', { score: -2 })],
      }),
    ],
    text_blocks: [textBlockOf('b1', { content: 'Bonjour', global_position: 0 })],
  })
  assert.deepEqual(duplicate(original), {
    results: [
      { id: 'copy-1', name: 'Calme', description: 'Doucement.', priority_order: 0 },
      { id: 'copy-2', name: 'Vif', description: null, priority_order: 1 },
    ],
    draft: {
      quiz_mode: 'profils',
      score_thresholds: {
        'copy-1': { min_score: 1, max_score: 4 },
        'copy-2': { min_score: null, max_score: null },
      },
      questions: [
        {
          id: 'copy-3',
          text: 'Le matin ?',
          type: 'multiple_choice',
          global_position: 1,
          page_number: 2,
          answers: [
            {
              id: 'copy-4',
              text: 'a1',
              score: null,
              position: 0,
              associations: [
                { result_id: 'copy-2', weight: 3, is_checked: true },
                { result_id: 'copy-1', weight: 0, is_checked: true },
              ],
            },
            { id: 'copy-5', text: 'a2', score: -2, position: 1, associations: [] },
          ],
        },
      ],
      text_blocks: [{ id: 'copy-6', content: 'Bonjour', global_position: 0, page_number: 1 }],
    },
  })
})

test('no id of any original remains, and none is given twice', () => {
  fc.assert(
    fc.property(drafts, (original) => {
      const ids = idsOf(duplicate(original))
      assert.equal(new Set(ids).size, ids.length)
      for (const id of ids) assert.match(String(id), /^copy-\d+$/)
    }),
  )
})

test('every association and every threshold is about a result of the copy', () => {
  fc.assert(
    fc.property(drafts, (original) => {
      const { results, draft } = duplicate(original)
      const known = results.map(({ id }) => id)
      const links = draft.questions.flatMap(({ answers }) =>
        answers.flatMap(({ associations }) => associations),
      )
      for (const { result_id } of links) assert.ok(known.includes(result_id))
      assert.deepEqual(Object.keys(draft.score_thresholds).sort(), known.toSorted())
    }),
  )
})
