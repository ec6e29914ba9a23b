import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  answerOf,
  draftOf,
  drafts,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { ANSWER_DEFAULTS } from './defaults.ts'
import { copyName, duplicateDraft } from './duplicate-draft.ts'
import type { Draft } from './quiz.ts'

const duplicate = (draft: Draft): Draft => {
  let count = 0
  return duplicateDraft(draft, () => `copy-${++count}`)
}
const answersOf = ({ questions }: Draft) => questions.flatMap(({ answers }) => answers)

test('the name of a copy has a suffix, and stays within the length limit', () => {
  assert.equal(copyName('Quel rythme ?'), 'Quel rythme ? (copie)')
  assert.equal(copyName('x'.repeat(100)), `${'x'.repeat(92)} (copie)`)
  assert.equal(copyName(`${'x'.repeat(91)}😀`), `${'x'.repeat(91)} (copie)`)
})

test('the copy of a quiz keeps its type, colours and consent, and is not published', () => {
  const original = quizOf({
    type: 'sondage',
    status: 'Publié',
    nb_responses: 12,
    bg_color: '#112233',
    consent_mode: 'requested',
    consent_text: 'Oui',
    kit_custom_field: 'champ',
    brevo_attribute_name: 'CHAMP',
  })
  assert.deepEqual(duplicate(draftOf({ quiz: original })).quiz, {
    ...original,
    id: 'copy-1',
    name: 'Quel rythme ? (copie)',
    status: 'Brouillon',
    nb_responses: 0,
    kit_custom_field: null,
    brevo_attribute_name: null,
  })
})

test('a copy keeps all content except the ids', () => {
  const kept = { jump_to: 3, is_correct: true }
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
        answers: [
          answerOf('a1', { counts_for: { r2: 3, r1: 0 } }),
          answerOf('a2', { score: -2, image_id: 'cup', image_alt: 'Une tasse', ...kept }),
        ],
      }),
    ],
    text_blocks: [textBlockOf('b1', { content: 'Bonjour', global_position: 0 })],
  })
  const { quiz: _, ...copy } = duplicate(original)
  const quiz_id = 'copy-1'
  const link = { answer_id: 'copy-5', is_checked: true }
  assert.deepEqual(copy, {
    quiz_mode: 'profils',
    results: [
      { ...original.results[0], id: 'copy-2', quiz_id },
      { ...original.results[1], id: 'copy-3', quiz_id },
    ],
    questions: [
      {
        ...original.questions[0],
        id: 'copy-4',
        quiz_id,
        answers: [
          {
            id: 'copy-5',
            question_id: 'copy-4',
            text: 'a1',
            score: null,
            position: 0,
            ...ANSWER_DEFAULTS,
            associations: [
              { ...link, id: 'copy-6', result_id: 'copy-3', weight: 3 },
              { ...link, id: 'copy-7', result_id: 'copy-2', weight: 0 },
            ],
          },
          {
            id: 'copy-8',
            question_id: 'copy-4',
            text: 'a2',
            score: -2,
            position: 1,
            image_id: 'cup',
            image_alt: 'Une tasse',
            ...kept,
            associations: [],
          },
        ],
      },
    ],
    text_blocks: [{ ...original.text_blocks[0], id: 'copy-9', quiz_id }],
    dimensions: [],
    text_variants: [],
  })
})

test('a copy has only new ids, each used once', () => {
  fc.assert(
    fc.property(drafts, (original) => {
      const copy = duplicate(original)
      const { results, questions, text_blocks } = copy
      const ids = [copy.quiz, ...results, ...questions, ...answersOf(copy), ...text_blocks].map(
        ({ id }) => id,
      )
      assert.equal(new Set(ids).size, ids.length)
      for (const id of ids) assert.match(id, /^copy-\d+$/)
    }),
  )
})

test('every association of a copy links an answer and a result of the copy', () => {
  fc.assert(
    fc.property(drafts, (original) => {
      const copy = duplicate(original)
      const known = copy.results.map(({ id }) => id)
      for (const { id, associations } of answersOf(copy))
        for (const link of associations) {
          assert.ok(known.includes(link.result_id))
          assert.equal(link.answer_id, id)
        }
    }),
  )
})
