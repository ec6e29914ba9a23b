import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf, draftOf, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { questionsAnnouncement } from './announcements.ts'
import type { QuestionsAction, QuestionsDraft } from './questions-reducer.ts'

const [one, two] = [questionOf('one'), questionOf('two', { global_position: 2, page_number: 2 })]
const block = textBlockOf('block', { global_position: 1 })
const draft: QuestionsDraft = {
  ...draftOf({ questions: [one, two], text_blocks: [block] }),
  page_count: 3,
}
const to = { page_number: 1, index: 0 }
const item = { kind: 'question', question: two } as const
const added = (texts: string[]): QuestionsAction => ({
  type: 'answers_added',
  question_id: 'one',
  answers: texts.map((text, index) => answerOf(`a${index}`, { text })),
  index: 1,
})

describe('the announcements of actions on questions', () => {
  const cases: [of: string, action: QuestionsAction, said: string | undefined][] = [
    ['a new question', { type: 'item_added', item, to }, 'Question 2 ajoutée : position 1, page 2'],
    [
      'a new block',
      { type: 'item_added', item: { kind: 'text_block', text_block: block }, to },
      'Bloc de texte 1 ajouté : position 2, page 1',
    ],
    [
      'several new items, which a toast announces',
      { type: 'item_added', item, more: [item], to },
      undefined,
    ],
    [
      'a copy',
      { type: 'item_added', item, to, is_copy: true },
      'Question 2 dupliquée : position 1, page 2',
    ],
    [
      'a move',
      { type: 'item_moved', id: 'block', to },
      'Bloc de texte 1 déplacé : position 2, page 1',
    ],
    [
      'a drag, which announces its own end',
      { type: 'item_moved', id: 'two', to, is_dragged: true },
      undefined,
    ],
    ['one answer', added(['']), 'Réponse 2 ajoutée'],
    ['pasted answers, including the one pasted into', added(['b', 'c']), '3 réponses collées'],
    ['no answer', added([]), undefined],
    [
      'an erased answer',
      { type: 'answer_removed', question_id: 'one', answer_id: 'a', is_erased: true },
      'Réponse vide supprimée',
    ],
    [
      'a removed answer, which a toast reports',
      { type: 'answer_removed', question_id: 'one', answer_id: 'a' },
      undefined,
    ],
    ['a new page', { type: 'page_added' }, 'Page 3 ajoutée'],
    ['a page split', { type: 'page_added', at: { page_number: 1, index: 1 } }, 'Page 2 ajoutée'],
    [
      'a moved page',
      { type: 'page_moved', from: 2, to: 1 },
      'Page 2 déplacée : elle est la page 1',
    ],
    [
      'a dragged page, which announces its own end',
      { type: 'page_moved', from: 2, to: 1, is_dragged: true },
      undefined,
    ],
    [
      'a copied page',
      { type: 'page_copied', page_number: 1, items: [] },
      'Page 1 dupliquée : la copie est la page 2',
    ],
    [
      'typing, which is not announced',
      { type: 'question_written', id: 'one', text: 'Et ?' },
      undefined,
    ],
  ]
  for (const [of, action, said] of cases)
    test(`the announcement of an action on questions is correct: ${of}`, () =>
      assert.equal(questionsAnnouncement(draft, action), said))
})
