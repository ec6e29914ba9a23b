import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { pageOverviews } from './item-positions.ts'

const questions = (count: number, page_number = 1) =>
  Array.from({ length: count }, (_, index) =>
    questionOf(`q${page_number}-${index}`, { page_number }),
  )

describe('the overview of pages', () => {
  test('the overview counts the items of each page, including empty pages', () =>
    assert.deepEqual(
      pageOverviews({
        questions: questions(2),
        text_blocks: [textBlockOf('b', { page_number: 1 })],
        page_count: 2,
      }),
      [
        { id: 'q1-0', number: 1, item_count: 3, canCopy: true, canSplit: true },
        { id: '2', number: 2, item_count: 0, canCopy: true, canSplit: true },
      ],
    ))

  test('the overview allows no copy when the maximum number of pages is reached', () => {
    const pages = pageOverviews({ questions: [], text_blocks: [], page_count: LIMITS.pages })
    assert.ok(pages.every(({ canCopy }) => !canCopy))
  })

  test('the overview allows a copy while the limits of items allow it', () => {
    const max = [...questions(LIMITS.questions - 3, 1), ...questions(2, 2)]
    const can = (list: typeof max) =>
      pageOverviews({ questions: list, text_blocks: [], page_count: 3 }).map(
        ({ canCopy }) => canCopy,
      )
    assert.deepEqual(can(max), [false, false, true])
    assert.deepEqual(can(max.slice(1)), [false, true, true])
  })
})
