import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deletePage, insertPage, movePage } from '#domain/questionnaire/arrange.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { answerOf, draftOf, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { mergeDrafts } from './merge-drafts.ts'

describe('jumps in a merge', () => {
  /** Question `asks` on page 1, and one block on each of pages 2, 3 and 4. */
  const start = draftOf({
    questions: [questionOf('asks', { answers: [answerOf('yes', { jump_to: 3 }), answerOf('no')] })],
    text_blocks: ['b2', 'b3', 'b4'].map((id, index) =>
      textBlockOf(id, { page_number: index + 2, global_position: index + 1 }),
    ),
  })
  const led = (draft: Draft, jump_to: number | null): Draft => ({
    ...draft,
    questions: draft.questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) =>
        answer.id === 'yes' ? { ...answer, jump_to } : answer,
      ),
    })),
  })
  const inserted = (page_number: number): Draft => {
    const text_block = textBlockOf('new')
    return { ...start, ...insertPage(start, page_number, [{ kind: 'text_block', text_block }]) }
  }
  const moved: Draft = { ...start, ...movePage(start, 4, 2) }
  const without: Draft = { ...start, ...deletePage(start, 2) }
  const written: Draft = {
    ...start,
    text_blocks: start.text_blocks.map((block) =>
      block.id === 'b3' ? { ...block, content: 'Gardé' } : block,
    ),
  }
  const cases: [name: string, mine: Draft, theirs: Draft, number | null][] = [
    ['a page inserted by one, the jump kept by the other', inserted(2), start, 4],
    ['a page inserted by one, a jump set by the other', inserted(2), led(start, 4), 5],
    ['a jump set in the numbers of inserted pages', led(inserted(2), 2), start, 2],
    ['a page moved by one, a jump set to it by the other', moved, led(start, 4), 2],
    ['a page moved by one, the jump taken away by the other', moved, led(start, null), null],
    ['a page deleted by one, a jump set to the end by the other', without, led(start, 0), 0],
    ['its page deleted by one', { ...start, ...deletePage(start, 3) }, start, -1],
    [
      'its page deleted by one, kept by the other',
      { ...start, ...deletePage(start, 3) },
      written,
      3,
    ],
    ['the same page chosen by both under two numbers', led(inserted(2), 5), led(start, 4), 5],
  ]
  for (const [name, one, other, expected] of cases)
    for (const [mine, theirs] of [
      [one, other],
      [other, one],
    ] as const)
      test(`jumps are merged without a conflict: ${name}${mine === one ? '' : ', with both sides exchanged'}`, () => {
        const { draft, conflicts } = mergeDrafts({ base: start, mine, theirs })
        assert.deepEqual(conflicts, [])
        assert.equal(draft.questions[0]?.answers[0]?.jump_to, expected)
      })

  test('two different chosen pages are a conflict in the page numbers of the merged draft', () => {
    const versions = { base: start, mine: led(inserted(2), 3), theirs: led(start, 4) }
    const { draft, conflicts } = mergeDrafts(versions)
    const path = 'answer/yes/jump_to'
    const at = { kind: 'answer', id: 'yes', field: 'jump_to' }
    assert.deepEqual(conflicts, [{ path, ...at, mine: 3, theirs: 5 }])
    assert.equal(draft.questions[0]?.answers[0]?.jump_to, 5)
    const mine = mergeDrafts(versions, { [path]: 'mine' }).draft
    assert.equal(mine.questions[0]?.answers[0]?.jump_to, 3)
  })

  test('a question whose jumps only followed their pages is deleted if the other edit deletes it', () => {
    const theirs = { ...start, questions: [] }
    assert.deepEqual(mergeDrafts({ base: start, mine: inserted(2), theirs }).draft.questions, [])
    const kept = mergeDrafts({ base: start, mine: led(start, 4), theirs }).draft
    assert.equal(kept.questions[0]?.answers[0]?.jump_to, 4)
  })
})
