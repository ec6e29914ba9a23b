import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TIE_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import { answerOf, questionOf } from '#domain/testing/drafts.ts'
import { createQuestion } from './new-items.ts'
import { type QuestionsAction, type QuestionsDraft, questionsReducer } from './questions-reducer.ts'
import { questionsUndoGroupKey } from './questions-undo-group-key.ts'

const draft: QuestionsDraft = {
  quiz: TIE_DEFAULTS,
  questions: [questionOf('a', { answers: [answerOf('b'), answerOf('c')] })],
  text_blocks: [],
  quiz_mode: null,
  results: [],
  page_count: 2,
}
const answer = { question_id: 'a', answer_id: 'b' }
const after = (before: QuestionsDraft, ...actions: QuestionsAction[]): QuestionsDraft =>
  actions.reduce(questionsReducer, before)

test('options are set on their question, and jumps on their answer', () => {
  const set = after(
    draft,
    { type: 'question_options_set', id: 'a', options: { is_required: false, max_choices: 2 } },
    { type: 'question_options_set', id: 'a', options: { help: 'Deux suffisent.' } },
    { type: 'answer_jump_set', ...answer, jump_to: 2 },
  )
  const [question] = set.questions
  assert.deepEqual(
    [question?.is_required, question?.max_choices, question?.help],
    [false, 2, 'Deux suffisent.'],
  )
  assert.deepEqual(
    question?.answers.map(({ id, jump_to }) => [id, jump_to]),
    [
      ['b', 2],
      ['c', null],
    ],
  )
  assert.equal(set.quiz_mode, null)
})

test('a scale that counts sets the score mode, and a reset clears both', () => {
  const scale = createQuestion('scale', { quiz_id: 'quiz', newId: () => 'scale' })
  assert.deepEqual([scale.scale_min, scale.scale_max, scale.answers], [0, 10, []])
  const counted = after(
    draft,
    { type: 'item_added', item: { kind: 'question', question: scale }, to: { page_number: 1 } },
    { type: 'question_options_set', id: scale.id, options: { counts_in_score: true } },
  )
  assert.equal(counted.quiz_mode, 'score')
  const reset = after(counted, { type: 'mode_reset' })
  assert.deepEqual([reset.quiz_mode, reset.questions[1]?.counts_in_score], [null, false])
})

describe('the undo steps of options', () => {
  const keys: [string, QuestionsAction, string | null][] = [
    ['a help text', { type: 'question_options_set', id: 'a', options: { help: null } }, 'help a'],
    [
      'the label of a scale end',
      { type: 'question_options_set', id: 'a', options: { scale_max_label: 'Oui' } },
      'scale_max_label a',
    ],
    ['a number', { type: 'question_options_set', id: 'a', options: { max_choices: null } }, null],
    ['a switch', { type: 'question_options_set', id: 'a', options: { has_other: true } }, null],
    ['a jump', { type: 'answer_jump_set', ...answer, jump_to: 2 }, null],
  ]
  for (const [name, action, undoGroupKey] of keys)
    test(`typing forms one undo step and each choice is a separate step: ${name}`, () =>
      assert.equal(questionsUndoGroupKey(action), undoGroupKey))
})
