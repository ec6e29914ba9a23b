import { LIMITS } from '#domain/common/vocabulary.ts'
import { groupGrids, itemsOfGroup } from '#domain/questionnaire/grids/grids.ts'
import {
  type Content,
  groupIntoPages,
  type Item,
  itemsInOrder,
  placeOf,
} from '#domain/questionnaire/pages.ts'
import { findAdjacentPlaces, type Groups, type Place } from '#web/ui/sorting/sort-groups.ts'

/** Page number and index of an item on that page. */
export type PagePosition = { page_number: number; index: number }

/** Position of an item on its page, with the positions one step up and down. */
export type Position = PagePosition & {
  above: PagePosition | undefined
  below: PagePosition | undefined
}

/**
 * Returns item ids by page number, including empty pages, for drag and drop. A grid is one item, with the id of its
 * first row.
 */
export const groupsOf = (content: Content, page_count: number): Groups => {
  const groups: Groups = {}
  for (let number = 1; number <= page_count; number++) groups[number] = []
  for (const { number, items } of groupIntoPages(content))
    for (const group of groupGrids(items)) {
      const [first] = itemsOfGroup(group)
      if (first) groups[number]?.push(placeOf(first).id)
    }
  return groups
}

/** Converts a position of the drag and drop library to a page position. */
export const toPage = ({ group, index }: Place): PagePosition => ({
  page_number: Number(group),
  index,
})

/**
 * Returns the position of an item with its neighbours. One step beyond the end of a page is the next page.
 */
export const positionOf = (groups: Groups, place: Place): Position => {
  const { above, below } = findAdjacentPlaces(groups, place)
  return { ...toPage(place), above: above && toPage(above), below: below && toPage(below) }
}

/** Returns every item by its id. */
export const itemsById = (content: Content): Map<string, Item> =>
  new Map(itemsInOrder(content).map((item) => [placeOf(item).id, item]))

/** Page as shown in the outline. */
export type PageOverview = {
  /**
   * Id of the first item, so that it stays the same when the page moves; the page number while the page is
   * empty.
   */
  id: string
  number: number
  item_count: number
  canCopy: boolean
  /** True if any page has several questions, so that each can get its own page. */
  canSplit: boolean
}

/** Returns every page, including empty ones, and whether the limits allow a copy of it. */
export const pageOverviews = (draft: Content & { page_count: number }): PageOverview[] => {
  const { questions, text_blocks, page_count } = draft
  const first = new Map<number, string>()
  for (const { id, page_number } of itemsInOrder(draft).map(placeOf))
    if (!first.has(page_number)) first.set(page_number, id)
  const questionsOn = countByPage(questions)
  const blocksOn = countByPage(text_blocks)
  const canSplit = groupIntoPages(draft).some(
    ({ items }) => groupGrids(items).filter(({ kind }) => kind !== 'text_block').length > 1,
  )
  return Array.from({ length: page_count }, (_, index) => {
    const number = index + 1
    const [question_count, block_count] = [questionsOn.get(number) ?? 0, blocksOn.get(number) ?? 0]
    return {
      id: first.get(number) ?? String(number),
      number,
      item_count: question_count + block_count,
      canCopy:
        page_count < LIMITS.pages &&
        questions.length + question_count <= LIMITS.questions &&
        text_blocks.length + block_count <= LIMITS.text_blocks,
      canSplit,
    }
  })
}

const countByPage = (items: readonly { page_number: number }[]): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const { page_number } of items) counts.set(page_number, (counts.get(page_number) ?? 0) + 1)
  return counts
}

/** Returns the number of an added page: after the page of `at`, or else after the last of `page_count` pages. */
export const addedPage = (at: PagePosition | undefined, page_count: number): number =>
  (at ? at.page_number : page_count) + 1
