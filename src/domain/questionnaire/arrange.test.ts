import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { drafts, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import {
  deletePage,
  insertItem,
  insertPage,
  lastPage,
  moveItem,
  movePage,
  removeItem,
  splitPage,
} from './arrange.ts'
import {
  type Content,
  groupIntoPages,
  type Item,
  itemsInOrder,
  placeOf,
  renumber,
} from './pages.ts'

/** Items a and b on page 1, c on page 2, d on page 4. */
const content: Content = {
  questions: [
    questionOf('a', { page_number: 1, global_position: 0 }),
    questionOf('c', { page_number: 2, global_position: 2 }),
    questionOf('d', { page_number: 4, global_position: 3 }),
  ],
  text_blocks: [textBlockOf('b', { page_number: 1, global_position: 1 })],
}
/** Returns the ids in order, with a bar between pages: 'a b | c | d'. */
const show = (shown: Content): string =>
  groupIntoPages(shown)
    .map(({ number, items }) => `${number}:${items.map((item) => placeOf(item).id).join(' ')}`)
    .join(' | ')

describe('moving an item (product 3.5)', () => {
  const cases: [string, string, { page_number: number; index: number }, string][] = [
    ['within a page', 'a', { page_number: 1, index: 1 }, '1:b a | 2:c | 4:d'],
    ['to the end of another page', 'a', { page_number: 2, index: 9 }, '1:b | 2:c a | 4:d'],
    ['to the start of another page', 'd', { page_number: 1, index: 0 }, '1:d a b | 2:c'],
    ['to an empty page', 'c', { page_number: 3, index: 0 }, '1:a b | 3:c | 4:d'],
    ['if it is a text block', 'b', { page_number: 4, index: 0 }, '1:a | 2:c | 4:b d'],
    ['before the first place', 'b', { page_number: 1, index: -3 }, '1:b a | 2:c | 4:d'],
    ['just before the first place', 'c', { page_number: 1, index: -1 }, '1:c a b | 4:d'],
    ['nowhere if it does not exist', 'z', { page_number: 1, index: 0 }, '1:a b | 2:c | 4:d'],
  ]
  for (const [name, id, to, expected] of cases)
    test(`an item moves ${name}`, () => assert.equal(show(moveItem(content, id, to)), expected))
})

describe('page numbers', () => {
  test('deleting a page decreases later page numbers', () =>
    assert.equal(show(deletePage(content, 2)), '1:a b | 3:d'))
  test('deleting an empty page decreases later page numbers too', () =>
    assert.equal(show(deletePage(content, 3)), '1:a b | 2:c | 3:d'))
  test('moving a page closes the gap that it leaves', () => {
    assert.equal(show(movePage(content, 1, 2)), '1:c | 2:a b | 4:d')
    assert.equal(show(movePage(content, 4, 1)), '1:d | 2:a b | 3:c')
    assert.equal(show(movePage(content, 3, 4)), '1:a b | 2:c | 3:d')
    assert.equal(show(movePage(content, 2, 2)), '1:a b | 2:c | 4:d')
  })
  test('an inserted page has its items in order, and increases later page numbers', () => {
    const items: Item[] = [
      { kind: 'text_block', text_block: textBlockOf('m', { global_position: 9 }) },
      { kind: 'question', question: questionOf('n') },
    ]
    assert.equal(show(insertPage(content, 2, items)), '1:a b | 2:m n | 3:c | 5:d')
    assert.equal(show(insertPage(content, 5, [])), '1:a b | 2:c | 4:d')
  })
  test('a page is split before an item, and later page numbers increase', () => {
    assert.equal(show(splitPage(content, { page_number: 1, index: 1 })), '1:a | 2:b | 3:c | 5:d')
    assert.equal(show(splitPage(content, { page_number: 1, index: 2 })), '1:a b | 3:c | 5:d')
    assert.equal(show(splitPage(content, { page_number: 2, index: 0 })), '1:a b | 3:c | 5:d')
  })
  test('the last page is the highest number in use, at least 1', () => {
    assert.equal(lastPage(content), 4)
    assert.equal(lastPage({ questions: [], text_blocks: [] }), 1)
  })
  test('an inserted item goes to the end of its page, or to the given index', () => {
    const block = { kind: 'text_block', text_block: textBlockOf('n') } as const
    assert.equal(show(insertItem(content, block, { page_number: 1 })), '1:a b n | 2:c | 4:d')
    assert.equal(
      show(insertItem(content, block, { page_number: 1, index: 1 })),
      '1:a n b | 2:c | 4:d',
    )
  })
})

describe('moves in any content', () => {
  const gesture = fc.oneof(
    fc.record({
      kind: fc.constant('move' as const),
      pick: fc.nat(20),
      page_number: fc.integer({ min: 1, max: 5 }),
      index: fc.nat(6),
    }),
    fc.record({
      kind: fc.constant('delete' as const),
      page_number: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(20) }),
    fc.record({
      kind: fc.constant('insert' as const),
      isQuestion: fc.boolean(),
      page_number: fc.integer({ min: 1, max: 5 }),
      index: fc.option(fc.nat(6), { nil: undefined }),
    }),
  )
  type Gesture = typeof gesture extends fc.Arbitrary<infer G> ? G : never

  const idsOf = (shown: Content): string[] => itemsInOrder(shown).map((item) => placeOf(item).id)
  /** Returns the content of each item without its position. */
  const wordsOf = ({ questions, text_blocks }: Content): Map<string, unknown> =>
    new Map<string, unknown>([
      ...questions.map(
        ({ id, text, type, answers }) =>
          [id, { text, type, words: answers.map(({ jump_to, ...answer }) => answer) }] as const,
      ),
      ...text_blocks.map(({ id, content: words }) => [id, { words }] as const),
    ])
  let added = 0
  const itemOf = (isQuestion: boolean): Item => {
    const id = `new${added++}`
    return isQuestion
      ? { kind: 'question', question: questionOf(id) }
      : { kind: 'text_block', text_block: textBlockOf(id) }
  }
  type Applied = { after: Content; gone: string[]; come?: Item }
  const apply = (shown: Content, done: Gesture): Applied => {
    const ids = idsOf(shown)
    if (done.kind === 'insert') {
      const come = itemOf(done.isQuestion)
      return { after: insertItem(shown, come, done), gone: [], come }
    }
    if (done.kind === 'delete') {
      const gone = itemsInOrder(shown).map(placeOf)
      return {
        after: deletePage(shown, done.page_number),
        gone: gone.filter((item) => item.page_number === done.page_number).map(({ id }) => id),
      }
    }
    const id = ids[done.pick % Math.max(1, ids.length)] ?? 'none'
    return done.kind === 'move'
      ? { after: moveItem(shown, id, done), gone: [] }
      : { after: removeItem(shown, id), gone: [id] }
  }

  test('moving an item keeps all items unchanged, with ranks in reading order without gaps', () =>
    fc.assert(
      fc.property(drafts, fc.array(gesture, { maxLength: 8 }), (draft, gestures) => {
        let shown: Content = renumber(draft)
        for (const done of gestures) {
          const before = structuredClone(shown)
          const { after, gone, come } = apply(shown, done)
          assert.deepEqual(shown, before)
          const expected = idsOf(shown).filter((id) => !gone.includes(id))
          if (come) expected.push(placeOf(come).id)
          assert.deepEqual(idsOf(after).sort(), expected.sort())
          const words = wordsOf(after)
          for (const [id, held] of wordsOf(shown))
            if (!gone.includes(id)) assert.deepEqual(words.get(id), held)
          const places = itemsInOrder(after).map(placeOf)
          assert.deepEqual(
            places.map((place) => place.global_position),
            places.map((_, rank) => rank),
          )
          assert.deepEqual(
            after.questions.map(({ position }) => position),
            after.questions.map((_, rank) => rank),
          )
          const pages = places.map((place) => place.page_number)
          assert.deepEqual(
            pages,
            pages.toSorted((a, b) => a - b),
          )
          shown = after
        }
      }),
    ))

  test('a moved item is on its new page, and the others keep their order', () =>
    fc.assert(
      fc.property(
        drafts,
        fc.nat(8),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(9),
        (draft, ...move) => {
          const [pick, page_number, index] = move
          const before = renumber(draft)
          const id = idsOf(before)[pick]
          fc.pre(id !== undefined)
          const after = moveItem(before, id, { page_number, index })
          const others = (shown: Content) => idsOf(shown).filter((other) => other !== id)
          assert.deepEqual(others(after), others(before))
          const page = groupIntoPages(after).find(({ number }) => number === page_number)
          const ids = page?.items.map((item) => placeOf(item).id) ?? []
          assert.equal(ids.indexOf(id), Math.min(index, ids.length - 1))
        },
      ),
    ))

  test('moving an item to another place and back changes nothing', () =>
    fc.assert(
      fc.property(drafts, fc.nat(8), fc.integer({ min: 1, max: 5 }), (draft, pick, page_number) => {
        const before = renumber(draft)
        const item = itemsInOrder(before)[pick]
        fc.pre(item !== undefined)
        const { id, page_number: home } = placeOf(item)
        const index = groupIntoPages(before)
          .find(({ number }) => number === home)
          ?.items.findIndex((other) => placeOf(other).id === id)
        const pages = itemsInOrder(before).map((other) => placeOf(other).page_number)
        fc.pre(pages.filter((page) => page === home).length > 1 && pages.includes(page_number))
        const away = moveItem(before, id, { page_number, index: 0 })
        assert.deepEqual(moveItem(away, id, { page_number: home, index: index ?? 0 }), before)
      }),
    ))
})

describe('whole pages', () => {
  const number = fc.integer({ min: 1, max: 5 })
  const idsOf = (shown: Content, page_number: number): string[] =>
    itemsInOrder(shown)
      .map(placeOf)
      .filter((placed) => placed.page_number === page_number)
      .map(({ id }) => id)
  const isDense = (shown: Content): boolean =>
    itemsInOrder(shown).every((item, index) => placeOf(item).global_position === index)

  test('a moved page keeps its items, and moving it back restores the content', () =>
    fc.assert(
      fc.property(drafts, number, number, (draft, from, to) => {
        const before = renumber(draft)
        const moved = movePage(before, from, to)
        assert.deepEqual(idsOf(moved, to), idsOf(before, from))
        assert.ok(isDense(moved))
        assert.deepEqual(movePage(moved, to, from), before)
      }),
    ))

  test('the two parts of a split page have its items in order', () =>
    fc.assert(
      fc.property(drafts, number, fc.nat(5), (draft, page_number, index) => {
        const before = renumber(draft)
        const split = splitPage(before, { page_number, index })
        const ids = idsOf(before, page_number)
        assert.deepEqual(idsOf(split, page_number), ids.slice(0, index))
        assert.deepEqual(idsOf(split, page_number + 1), ids.slice(index))
        assert.deepEqual(idsOf(split, page_number + 2), idsOf(before, page_number + 1))
        assert.ok(isDense(split))
      }),
    ))

  test('deleting an inserted page restores the content', () =>
    fc.assert(
      fc.property(drafts, number, fc.nat(3), (draft, page_number, count) => {
        const before = renumber(draft)
        const items = Array.from({ length: count }, (_, index): Item => {
          const text_block = textBlockOf(`new${index}`)
          return { kind: 'text_block', text_block }
        })
        const inserted = insertPage(before, page_number, items)
        assert.deepEqual(
          idsOf(inserted, page_number),
          items.map((item) => placeOf(item).id),
        )
        assert.ok(isDense(inserted))
        assert.deepEqual(deletePage(inserted, page_number), before)
      }),
    ))
})
