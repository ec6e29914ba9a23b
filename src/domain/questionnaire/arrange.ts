import { DEFAULT_PAGE_NUMBER } from '#domain/common/vocabulary.ts'
import {
  type Content,
  type Item,
  itemsInOrder,
  placeItems,
  placeOf,
  preserveJumps,
  renumber,
  renumberJumps,
  withRanks,
} from './pages.ts'
import { JUMP_TO_NOWHERE } from './quiz.ts'

/** Changes of the questions screen to the order of items, pages and results (product 2.4, 3.5). */

/** Returns the item with this page number. */
export const onPage = (item: Item, page_number: number): Item =>
  item.kind === 'question'
    ? { kind: 'question', question: withRanks(item.question, { page_number }) }
    : { kind: 'text_block', text_block: withRanks(item.text_block, { page_number }) }

/**
 * Moves an item to a page, before the item at `index` of the remaining items. A larger index means the end; an
 * unknown id changes only the ranks. Jumps still lead to their pages, and follow the last item of a page.
 */
export const moveItem = (
  content: Content,
  id: string,
  to: { page_number: number; index: number },
): Content => moveItems(content, [id], to)

/** Moves several items of one page, which then follow each other. */
export const moveItems = (
  content: Content,
  ids: readonly string[],
  to: { page_number: number; index: number },
): Content => {
  const moved = putItems(content, ids, to)
  return { ...moved, questions: preserveJumps(content, moved) }
}

const putItems = (
  content: Content,
  ids: readonly string[],
  to: { page_number: number; index: number },
): Content => {
  const items = itemsInOrder(renumber(content))
  const lifted = items.filter((item) => ids.includes(placeOf(item).id))
  if (lifted.length === 0) return placeItems(items)
  const others = items.filter((item) => !lifted.includes(item))
  const before = others.filter((item) => placeOf(item).page_number < to.page_number)
  const page = others.filter((item) => placeOf(item).page_number === to.page_number)
  const after = others.filter((item) => placeOf(item).page_number > to.page_number)
  const index = Math.max(0, Math.min(to.index, page.length))
  page.splice(index, 0, ...lifted.map((item) => onPage(item, to.page_number)))
  return placeItems([...before, ...page, ...after])
}

/** Adds an item at the end of a page, or at `index`. */
export const insertItem = (
  content: Content,
  item: Item,
  to: { page_number: number; index?: number },
): Content => {
  const added: Content = {
    questions: item.kind === 'question' ? [...content.questions, item.question] : content.questions,
    text_blocks:
      item.kind === 'text_block' ? [...content.text_blocks, item.text_block] : content.text_blocks,
  }
  const index = to.index ?? Number.POSITIVE_INFINITY
  return putItems(added, [placeOf(item).id], { page_number: to.page_number, index })
}

/** Adds items one after the other at the end of a page, or from `index` on. */
export const insertItems = (
  content: Content,
  items: readonly Item[],
  { page_number, index = Number.POSITIVE_INFINITY }: { page_number: number; index?: number },
): Content =>
  items.reduce(
    (filled, item, rank) => insertItem(filled, item, { page_number, index: index + rank }),
    content,
  )

/**
 * Removes an item. If its page has no other item, jumps to that page become JUMP_TO_NOWHERE, because their target page
 * is deleted.
 */
export const removeItem = (content: Content, id: string): Content => {
  const left = renumber({
    questions: content.questions.filter((question) => question.id !== id),
    text_blocks: content.text_blocks.filter((block) => block.id !== id),
  })
  return { ...left, questions: preserveJumps(content, left) }
}

/**
 * Deletes a page with its items. Later page numbers decrease by one, and jumps to the page lead nowhere (product 3.6).
 */
export const deletePage = (content: Content, page_number: number): Content =>
  onPages(
    {
      questions: content.questions.filter((question) => question.page_number !== page_number),
      text_blocks: content.text_blocks.filter((block) => block.page_number !== page_number),
    },
    (number) => {
      if (number === page_number) return JUMP_TO_NOWHERE
      return number > page_number ? number - 1 : number
    },
  )

/** Moves a page with its items to another number. The pages in between close the gap. */
export const movePage = (content: Content, from: number, to: number): Content =>
  onPages(content, (number) => {
    if (number === from) return to
    if (from < number && number <= to) return number - 1
    return to <= number && number < from ? number + 1 : number
  })

/**
 * Inserts a page with these items and increases later page numbers by one. Jumps of the items have the numbers from
 * before the insertion.
 */
export const insertPage = (
  content: Content,
  page_number: number,
  items: readonly Item[],
): Content => {
  const raised = (number: number): number => (number >= page_number ? number + 1 : number)
  const raisedItems = items.flatMap((item): Item[] =>
    item.kind === 'question'
      ? renumberJumps([item.question], raised).map((question) => ({ kind: 'question', question }))
      : [item],
  )
  return insertItems(onPages(content, raised), raisedItems, { page_number })
}

/**
 * Moves the items of a page from `index` on to a new page that follows. Later page numbers increase by one, and jumps
 * still lead to the beginning of their page.
 */
export const splitPage = (
  content: Content,
  { page_number, index }: { page_number: number; index: number },
): Content => {
  const moved = itemsInOrder(content)
    .map(placeOf)
    .filter((place) => place.page_number === page_number)
    .slice(index)
    .map(({ id }) => id)
  const raised = onPages(content, (number) => (number > page_number ? number + 1 : number))
  return putItems(raised, moved, { page_number: page_number + 1, index: 0 })
}

/** Returns the content with other page numbers, also in its jumps. */
const onPages = (content: Content, numberOf: (page_number: number) => number): Content => {
  const numbered = <T extends { page_number: number }>(item: T): T =>
    withRanks(item, { page_number: numberOf(item.page_number) } as Partial<T>)
  return renumber({
    questions: renumberJumps(content.questions, numberOf).map(numbered),
    text_blocks: content.text_blocks.map(numbered),
  })
}

/** Returns the highest page number in use, at least the default page. */
export const lastPage = (content: Content): number =>
  [...content.questions, ...content.text_blocks].reduce(
    (last, { page_number }) => Math.max(last, page_number),
    DEFAULT_PAGE_NUMBER,
  )
