import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { lastPage } from '#domain/questionnaire/arrange.ts'
import { groupGrids, itemsOfGroup } from '#domain/questionnaire/grids/grids.ts'
import {
  type Content,
  groupIntoPages,
  isJumpToPage,
  itemsInOrder,
  placeItems,
  placeOf,
} from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { answerOf, drafts, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { splitPages } from './split-pages.ts'

const split = (content: Content) => splitPages({ ...content, page_count: lastPage(content) })

/**
 * Parses a notation. In `2:a T b | 5:c+d`, page 2 has questions a and b around text T, and page 5 has a grid.
 * `a>5` jumps to page 5.
 */
const contentOf = (notation: string): Content => {
  const content: Content = { questions: [], text_blocks: [] }
  let global_position = 0
  for (const page of notation.split(' | ')) {
    const [number, list = ''] = page.split(':')
    for (const group of list.split(' ').filter(Boolean))
      for (const [rank, word] of group.split('+').entries()) {
        const place = { page_number: Number(number), global_position: global_position++ }
        const [id = '', jump] = word.split('>')
        if (id === id.toUpperCase()) content.text_blocks.push(textBlockOf(id, place))
        else
          content.questions.push(
            questionOf(id, {
              ...place,
              continues_grid: rank > 0,
              answers: [answerOf(`${id}-1`, { text: 'Oui', jump_to: jump ? Number(jump) : null })],
            }),
          )
      }
  }
  return placeItems(itemsInOrder(content))
}
const jumpOf = ({ answers: [answer] }: Question): string =>
  answer?.jump_to == null ? '' : `>${answer.jump_to}`
/** Returns the notation of a content. */
const notationOf = (content: Content): string =>
  groupIntoPages(content)
    .map(({ number, items }) => {
      const groups = groupGrids(items).map((group) =>
        itemsOfGroup(group)
          .map((item) =>
            item.kind === 'question'
              ? `${item.question.id}${jumpOf(item.question)}`
              : item.text_block.id,
          )
          .join('+'),
      )
      return `${number}:${groups.join(' ')}`
    })
    .join(' | ')

const CASES: [rule: string, before: string, after: string][] = [
  ['each question gets its own page', '1:a b c', '1:a | 2:b | 3:c'],
  ['a grid stays together', '1:a b+c+d e', '1:a | 2:b+c+d | 3:e'],
  ['a text block stays with the following question', '1:T a U V b', '1:T a | 2:U V b'],
  ['a text block before a grid stays with the grid', '1:a T b+c', '1:a | 2:T b+c'],
  ['a text block at the end of a page stays with the last question', '1:a b T', '1:a | 2:b T'],
  ['a page without questions stays', '1:a b | 2:T U | 3:c', '1:a | 2:b | 3:T U | 4:c'],
  ['empty pages stay empty', '1:a b | 3:c d', '1:a | 2:b | 4:c | 5:d'],
  ['jumps follow their page', '1:a>3 b | 2:c | 3:d e', '1:a>4 | 2:b | 3:c | 4:d | 5:e'],
  ['a jump leads to the beginning of a page', '1:a>5 | 5:b c+d', '1:a>5 | 5:b | 6:c+d'],
  ['a jump to an empty page leads to an empty page', '1:a>2 b | 3:c', '1:a>3 | 2:b | 4:c'],
  ['jumps to the end and to a deleted page stay', '1:a>0 b>-1', '1:a>0 | 2:b>-1'],
  ['a jump to its own page stays without effect', '1:a b>1', '1:a | 2:b>1'],
  ['separate questions stay where they are', '1:T a | 2:b+c | 4:d', '1:T a | 2:b+c | 4:d'],
]

describe('one question per page', () => {
  for (const [rule, before, after] of CASES)
    test(`${rule}: ${before}`, () => {
      const content = contentOf(before)
      const done = split(content)
      assert.equal(notationOf(done), after)
      assert.equal(done.page_count, lastPage(done))
    })

  test('a draft without items stays empty', () => {
    const empty = { questions: [], text_blocks: [], page_count: 2 }
    assert.deepEqual(splitPages(empty), empty)
  })

  test('empty pages at the end stay', () =>
    assert.equal(splitPages({ ...contentOf('1:a b c'), page_count: 4 }).page_count, 6))

  const ids = (content: Content): string[] => {
    const pages = groupIntoPages(content)
    return pages.flatMap(({ items }) => items.map((item) => placeOf(item).id))
  }
  /** Returns the first item at or after the target of each jump, by the answer; undefined for the end. */
  const targetsOf = (content: Content): Record<string, string | undefined> => {
    const pages = groupIntoPages(content)
    const answers = content.questions.flatMap((question) => question.answers).filter(isJumpToPage)
    return Object.fromEntries(
      answers.map(({ id, jump_to }) => {
        const [first] = pages.find(({ number }) => number >= jump_to)?.items ?? []
        return [id, first && placeOf(first).id]
      }),
    )
  }

  test('the order of items and the targets of jumps stay, and no page has two questions', () =>
    fc.assert(
      fc.property(drafts, (draft) => {
        const done = split(draft)
        assert.deepEqual(ids(done), ids(draft))
        assert.deepEqual(targetsOf(done), targetsOf(draft))
        for (const { items } of groupIntoPages(done)) {
          const groups = groupGrids(items).filter(({ kind }) => kind !== 'text_block')
          assert.ok(groups.length <= 1)
        }
        const texts = (content: Content) =>
          groupIntoPages(content).filter(({ items }) =>
            items.every(({ kind }) => kind === 'text_block'),
          ).length
        assert.equal(texts(done), texts(draft))
      }),
    ))

  test('a second split changes nothing', () =>
    fc.assert(
      fc.property(drafts, (draft) => {
        const done = split(draft)
        assert.deepEqual(splitPages(done), done)
      }),
    ))
})
