import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { focusAfter } from './focus-after-action.ts'
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

describe('where the focus goes', () => {
  const cases: [does: string, action: QuestionsAction, id: string | undefined][] = [
    [
      'a new item: its field',
      { type: 'item_added', item: { kind: 'text_block', text_block: block }, to },
      'field-block',
    ],
    ['a move: the menu of the item', { type: 'item_moved', id: 'two', to }, 'menu-two'],
    ['a removed item: the next one', { type: 'item_removed', id: 'one' }, 'field-two'],
    ['the last item removed: the one before', { type: 'item_removed', id: 'two' }, 'field-one'],
    [
      'new answers: the last of them',
      {
        type: 'answers_added',
        question_id: 'one',
        answers: [answerOf('c'), answerOf('d')],
        index: 2,
      },
      'field-d',
    ],
    [
      'no new answer: nowhere else',
      { type: 'answers_added', question_id: 'one', answers: [], index: 2 },
      undefined,
    ],
    ['a removed answer: the next one', removed('one', 'a'), 'field-b'],
    ['the last answer removed: the one before', removed('one', 'b'), 'field-a'],
    ['an erased answer: the one before', removed('one', 'b', true), 'field-a'],
    ['the only answer removed: its question', removed('two', 'only'), 'field-two'],
    ['a new page: its heading', { type: 'page_added' }, 'page-3'],
    ['a moved page: its heading', { type: 'page_moved', from: 1, to: 2 }, 'page-2'],
    [
      'a dragged page: its handle',
      { type: 'page_moved', from: 1, to: 2, is_dragged: true },
      'move-page-2',
    ],
    [
      'a copied page: the heading of the copy',
      { type: 'page_copied', page_number: 1, items: [] },
      'page-2',
    ],
    ['a deleted page: the one before', { type: 'page_deleted', page_number: 2 }, 'page-1'],
    ['the first page deleted: the first', { type: 'page_deleted', page_number: 1 }, 'page-1'],
    [
      'a written text: nowhere else',
      { type: 'question_written', id: 'one', text: 'Et ?' },
      undefined,
    ],
    ['another mode: nowhere else', { type: 'mode_reset' }, undefined],
  ]
  for (const [does, action, id] of cases)
    test(does, () => assert.equal(focusAfter(draft, action), id))

  test('the only item removed: the first page', () => {
    const alone = { ...draft, questions: draft.questions.slice(0, 1) }
    assert.equal(focusAfter(alone, { type: 'item_removed', id: 'one' }), 'page-1')
  })
})
