import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { drafts, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { groupIntoPages, itemsInOrder, placeOf, progress } from './pages.ts'

type Content = Parameters<typeof groupIntoPages>[0]

const idsOf = (content: Content): string[] => itemsInOrder(content).map((item) => placeOf(item).id)
const pagesOf = (content: Content): [number, ...string[]][] =>
  groupIntoPages(content).map(({ number, items }) => [
    number,
    ...items.map((item) => placeOf(item).id),
  ])

describe('pages that visitors go through (product 8.3)', () => {
  const at = (global_position: number, page_number: number) => ({ global_position, page_number })
  const cases: [name: string, content: Content, pages: [number, ...string[]][]][] = [
    ['an empty draft has no page', { questions: [], text_blocks: [] }, []],
    [
      'questions and blocks are merged by global_position',
      {
        questions: [questionOf('b', at(1, 1)), questionOf('d', at(3, 1))],
        text_blocks: [textBlockOf('c', at(2, 1)), textBlockOf('a', at(0, 1))],
      },
      [[1, 'a', 'b', 'c', 'd']],
    ],
    [
      'pages are ascending, whatever item comes first',
      {
        questions: [questionOf('a', at(0, 3)), questionOf('b', at(1, 1))],
        text_blocks: [textBlockOf('c', at(2, 2))],
      },
      [
        [1, 'b'],
        [2, 'c'],
        [3, 'a'],
      ],
    ],
    [
      'an empty page is left out',
      { questions: [questionOf('a', at(0, 2)), questionOf('b', at(1, 10))], text_blocks: [] },
      [
        [2, 'a'],
        [10, 'b'],
      ],
    ],
    [
      'items of one page do not have to be consecutive',
      {
        questions: [
          questionOf('a', at(0, 1)),
          questionOf('b', at(1, 2)),
          questionOf('c', at(2, 1)),
        ],
        text_blocks: [],
      },
      [
        [1, 'a', 'c'],
        [2, 'b'],
      ],
    ],
  ]
  for (const [name, content, pages] of cases)
    test(`the pages of a draft are computed: ${name}`, () =>
      assert.deepEqual(pagesOf(content), pages))
})

test('an item is a question or a text block', () => {
  const content = {
    questions: [questionOf('q', { global_position: 1 })],
    text_blocks: [textBlockOf('t')],
  }
  assert.deepEqual(itemsInOrder(content), [
    { kind: 'text_block', text_block: content.text_blocks[0] },
    { kind: 'question', question: content.questions[0] },
  ])
})

describe('pages of any draft', () => {
  test('each item is on exactly one page, which is its own', () =>
    fc.assert(
      fc.property(drafts, (draft) => {
        const own = [...draft.questions, ...draft.text_blocks].map(
          ({ id, page_number }) => `${page_number} ${id}`,
        )
        const shown = pagesOf(draft).flatMap(([number, ...ids]) =>
          ids.map((id) => `${number} ${id}`),
        )
        assert.deepEqual(shown.sort(), own.sort())
      }),
    ))

  test('pages ascend, and ranks ascend within each page', () =>
    fc.assert(
      fc.property(drafts, (draft) => {
        const pages = groupIntoPages(draft)
        for (const [index, page] of pages.entries()) {
          assert.ok(page.number > (pages[index - 1]?.number ?? 0))
          for (const [rank, item] of page.items.entries()) {
            const previous = page.items[rank - 1]
            assert.ok(
              !previous || placeOf(previous).global_position < placeOf(item).global_position,
            )
          }
        }
      }),
    ))

  test('the order of the lists does not matter, and the lists are unchanged', () =>
    fc.assert(
      fc.property(drafts, (draft) => {
        const before = structuredClone(draft)
        const turned = {
          questions: draft.questions.toReversed(),
          text_blocks: draft.text_blocks.toReversed(),
        }
        assert.deepEqual(idsOf(turned), idsOf(draft))
        assert.deepEqual(groupIntoPages(turned), groupIntoPages(draft))
        assert.deepEqual(draft, before)
      }),
    ))
})

test('the progress of a run includes the current page', () => {
  assert.deepEqual(
    [0, 1, 2].map((index) => progress(index, 3)),
    [33, 67, 100],
  )
  assert.equal(progress(0, 0), 0)
})
