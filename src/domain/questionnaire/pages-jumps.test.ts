import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { applyChanges } from '#domain/editing/apply-changes.ts'
import { changesBetween } from '#domain/editing/changes.ts'
import { answerOf, draftOf, drafts, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import {
  deletePage,
  insertItem,
  insertPage,
  moveItem,
  movePage,
  removeItem,
  splitPage,
} from './arrange.ts'
import {
  type Content,
  itemsInOrder,
  mapPageNumbers,
  placeOf,
  preserveJumps,
  renumber,
} from './pages.ts'
import type { Draft } from './quiz.ts'
import { dropLostReferences } from './references.ts'

/** Parses '1:a b | 3:c' into pages of text blocks, with a question `q` on page 1 that jumps to `jump_to`. */
const contentOf = (shown: string, jump_to: number | null = null): Content => {
  const text_blocks = shown
    .split(' | ')
    .flatMap((page) => {
      const [number, ids = ''] = page.split(':')
      return ids.split(' ').map((id) => ({ id, page_number: Number(number) }))
    })
    .map((place, rank) => textBlockOf(place.id, { ...place, global_position: rank + 1 }))
  const questions = [questionOf('q', { answers: [answerOf('q1', { jump_to })] })]
  return renumber({ questions, text_blocks })
}
const jumpOf = ({ questions }: Pick<Content, 'questions'>): number | null | undefined =>
  questions.find(({ id }) => id === 'q')?.answers[0]?.jump_to

describe('a page number after an edit', () => {
  const before = '2:a b c | 3:d e | 4:f'
  const cases: [string, string, page_number: number, number][] = [
    ['nothing has changed', before, 3, 3],
    ['a page was inserted before it', '2:x | 3:a b c | 4:d e | 5:f', 3, 4],
    ['a page before it was deleted', '2:d e | 3:f', 3, 2],
    ['most of its items are on another page', '2:a | 3:d e | 4:f b c', 2, 4],
    ['most of its items are still there', '2:a b | 3:d e c', 2, 2],
    ['half of its items are still there', '2:a b c d | 3:e | 4:f', 3, 3],
    ['half of its items are on each of two other pages', '2:a b c e | 4:f d', 3, 4],
    ['no item is left', '2:a b c | 4:f', 3, -1],
    ['no item is left and its number is taken', '2:a b c | 3:f', 3, -1],
    ['it is empty before and after', '2:x | 3:a b c | 4:d e | 5:f', 6, 7],
    ['it is empty behind a deleted page', '2:a b c | 3:d e', 6, 6],
    ['it is empty and no page is before it', '5:a', 1, 1],
    ['the end', '2:f', 0, 0],
    ['nowhere', '2:f', -1, -1],
  ]
  for (const [name, after, page_number, expected] of cases)
    test(`a page keeps its identity after an edit: ${name}`, () =>
      assert.equal(mapPageNumbers(contentOf(before), contentOf(after))(page_number), expected))
})

describe('a jump after an edit', () => {
  const content = contentOf('2:a b | 3:c | 5:d', 3)
  const block = { kind: 'text_block', text_block: textBlockOf('x') } as const
  const cases: [string, Content, number][] = [
    ['a page inserted before it', insertPage(content, 2, [block]), 4],
    ['an empty page inserted before it', insertPage(content, 3, []), 4],
    ['a page inserted after it', insertPage(content, 4, [block]), 3],
    ['a page before it is split', splitPage(content, { page_number: 2, index: 1 }), 4],
    ['its page is split', splitPage(content, { page_number: 3, index: 1 }), 3],
    ['its page was moved', movePage(content, 3, 5), 5],
    ['another page was moved over it', movePage(content, 5, 2), 4],
    ['a page deleted before it', deletePage(content, 2), 2],
    ['its page deleted', deletePage(content, 3), -1],
    ['an item added to its page', insertItem(content, block, { page_number: 3 }), 3],
    [
      'an item of another page moved to it',
      moveItem(content, 'a', { page_number: 3, index: 0 }),
      3,
    ],
    ['its only item moved', moveItem(content, 'c', { page_number: 5, index: 0 }), 5],
    ['its only item removed', removeItem(content, 'c'), -1],
    ['an item of another page removed', removeItem(content, 'a'), 3],
  ]
  for (const [name, after, expected] of cases)
    test(`a jump still leads to its page after an edit: ${name}`, () =>
      assert.equal(jumpOf(after), expected))

  test('a jump still leads to its page after one of its two items was moved', () => {
    const there = moveItem(contentOf('2:a b | 3:c', 2), 'a', { page_number: 3, index: 0 })
    assert.equal(jumpOf(there), 2)
  })
  test('a jump to a page without items keeps its distance to the previous page', () => {
    const empty = contentOf('2:a | 4:b', 3)
    assert.equal(jumpOf(insertPage(empty, 2, [])), 4)
    assert.equal(jumpOf(movePage(empty, 3, 2)), 2)
    assert.equal(jumpOf(deletePage(empty, 3)), -1)
    assert.equal(jumpOf(deletePage(empty, 2)), 2)
  })
  test('jumps to the end, to the next page and to nowhere never change', () => {
    for (const jump_to of [0, null, -1])
      assert.equal(jumpOf(deletePage(contentOf('2:a | 3:b', jump_to), 2)), jump_to)
  })
  test('a copied page leads to the page of its original', () => {
    const pages = contentOf('2:a | 3:b', 2)
    const [question] = pages.questions
    assert.ok(question)
    const copy = { ...question, id: 'copy' }
    const copied = insertPage(pages, 2, [{ kind: 'question', question: copy }])
    assert.deepEqual(
      copied.questions.map(({ answers }) => answers[0]?.jump_to),
      [3, 3],
    )
  })
  test('an explicit jump is unchanged', () => {
    const after = deletePage(contentOf('2:a | 3:b'), 2)
    const said = renumber({ ...after, questions: contentOf('2:b', 2).questions })
    assert.equal(jumpOf({ questions: preserveJumps(content, said, () => true) }), 2)
  })
})

const number = fc.integer({ min: 1, max: 5 })
const idsOn = (content: Content, page_number: number): string[] =>
  itemsInOrder(content)
    .map(placeOf)
    .filter((placed) => placed.page_number === page_number)
    .map(({ id }) => id)

describe('jumps in any content', () => {
  const arrange = fc.oneof(
    fc.tuple(number, number).map(
      ([from, to]) =>
        (content: Content) =>
          movePage(content, from, to),
    ),
    number.map((page) => (content: Content) => deletePage(content, page)),
    number.map((page) => (content: Content) => insertPage(content, page, [])),
    fc
      .tuple(fc.nat(9), number, fc.nat(4))
      .map(([pick, page_number, index]) => (content: Content) => {
        const items = itemsInOrder(content)
        const id = items[pick % Math.max(1, items.length)]
        return moveItem(content, id ? placeOf(id).id : '', { page_number, index })
      }),
    fc.nat(9).map((pick) => (content: Content) => {
      const items = itemsInOrder(content)
      const id = items[pick % Math.max(1, items.length)]
      return removeItem(content, id ? placeOf(id).id : '')
    }),
  )

  test('a jump leads to a page that holds items of its old page, or nowhere if no such page is left', () =>
    fc.assert(
      fc.property(drafts, arrange, (draft, apply) => {
        const before = renumber(draft)
        const after = apply(before)
        const jumps = new Map(
          before.questions
            .flatMap(({ answers }) => answers)
            .map((answer) => [answer.id, answer.jump_to]),
        )
        for (const { id, jump_to } of after.questions.flatMap(({ answers }) => answers)) {
          const old = jumps.get(id) ?? null
          if (old === null || old <= 0) assert.equal(jump_to, old)
          else if (jump_to === -1) {
            const left = new Set(itemsInOrder(after).map((item) => placeOf(item).id))
            assert.ok(!idsOn(before, old).some((id) => left.has(id)))
          } else if (idsOn(before, old).length > 0) {
            const there = new Set(idsOn(after, jump_to ?? 0))
            assert.ok(idsOn(before, old).some((id) => there.has(id)))
          }
        }
      }),
    ))

  test('the difference of two drafts contains every jump that would not lead to its page by itself', () =>
    fc.assert(
      fc.property(drafts, arrange, fc.boolean(), fc.nat(5), (start, apply, isSet, jump_to) => {
        const draft: Draft = { ...start, ...renumber(start) }
        const moved = { ...draft, ...apply(draft) }
        const held = new Map(draft.questions.map(({ id, answers }) => [id, answers]))
        const questions = moved.questions.map((question) => ({
          ...question,
          // The jumps all lead to one page, or they keep the page numbers from before the move.
          answers: isSet
            ? question.answers.map((answer) => ({ ...answer, jump_to }))
            : (held.get(question.id) ?? []),
        }))
        const after = dropLostReferences({ ...moved, questions })
        assert.deepEqual(applyChanges(draft, changesBetween(draft, after)), after)
      }),
    ))

  test('moving pages changes no jump explicitly', () => {
    const draft = draftOf(contentOf('2:a | 3:b', 3))
    const moved = { ...draft, ...movePage(draft, 3, 2) }
    const changes = { ...changesBetween(draft, moved), answers: [] }
    assert.deepEqual(applyChanges(draft, changes), moved)
  })
})
