import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { focusAfterAction } from './focus-after-action.ts'
import { createTextBlock } from './new-items.ts'
import type { QuestionsAction, QuestionsDraft } from './questions-reducer.ts'

const draft: QuestionsDraft = {
  ...draftOf({
    questions: [
      questionOf('one', { answers: [answerOf('a'), answerOf('b', { position: 1 })] }),
      questionOf('two', { position: 1, global_position: 1, answers: [answerOf('only')] }),
    ],
  }),
  page_count: 2,
}
const to = { page_number: 1, index: 0 }
const block = createTextBlock({ quiz_id: 'quiz', newId: () => 'block' })
const removed = (question_id: string, answer_id: string, is_erased = false): QuestionsAction => ({
  type: 'answer_removed',
  question_id,
  answer_id,
  is_erased,
})

describe('the focus after an action', () => {
  const cases: [does: string, action: QuestionsAction, id: string | undefined][] = [
    [
      'goes from a new item to its field',
      { type: 'item_added', item: { kind: 'text_block', text_block: block }, to },
      'field-block',
    ],
    ['goes to the menu of a moved item', { type: 'item_moved', id: 'two', to }, 'menu-two'],
    ['goes to the item after a removed one', { type: 'item_removed', id: 'one' }, 'field-two'],
    [
      'goes to the item before a removed last one',
      { type: 'item_removed', id: 'two' },
      'field-one',
    ],
    [
      'goes to the last of the new answers',
      {
        type: 'answers_added',
        question_id: 'one',
        answers: [answerOf('c'), answerOf('d')],
        index: 2,
      },
      'field-d',
    ],
    [
      'stays if no answer was added',
      { type: 'answers_added', question_id: 'one', answers: [], index: 2 },
      undefined,
    ],
    ['goes to the answer after a removed one', removed('one', 'a'), 'field-b'],
    ['goes to the answer before a removed last one', removed('one', 'b'), 'field-a'],
    ['goes to the answer before an erased one', removed('one', 'b', true), 'field-a'],
    ['goes to the question of a removed only answer', removed('two', 'only'), 'field-two'],
    ['goes to the heading of a new page', { type: 'page_added' }, 'page-3'],
    [
      'goes to the heading of the second part of a split page',
      { type: 'page_added', at: { page_number: 1, index: 1 } },
      'page-2',
    ],
    ['goes to the heading of a moved page', { type: 'page_moved', from: 1, to: 2 }, 'page-2'],
    [
      'goes to the handle of a dragged page',
      { type: 'page_moved', from: 1, to: 2, is_dragged: true },
      'move-page-2',
    ],
    [
      'goes to the heading of a page copy',
      { type: 'page_copied', page_number: 1, items: [] },
      'page-2',
    ],
    ['goes to the page before a deleted one', { type: 'page_deleted', page_number: 2 }, 'page-1'],
    [
      'goes to the first page if the first page was deleted',
      { type: 'page_deleted', page_number: 1 },
      'page-1',
    ],
    ['stays while text is typed', { type: 'question_written', id: 'one', text: 'Et ?' }, undefined],
    ['stays after a change of mode', { type: 'mode_reset' }, undefined],
  ]
  for (const [does, action, id] of cases)
    test(`the focus ${does}`, () => assert.equal(focusAfterAction(draft, action), id))

  test('the focus goes to the first page if the only item was removed', () => {
    const alone = { ...draft, questions: draft.questions.slice(0, 1) }
    assert.equal(focusAfterAction(alone, { type: 'item_removed', id: 'one' }), 'page-1')
  })
})
