import { moveItems } from '#domain/questionnaire/arrange.ts'
import { type Content, groupIntoPages, type Item, placeOf } from '#domain/questionnaire/pages.ts'
import { groupGrids, itemsOfGroup } from './grids.ts'

/** Moves of whole grids. An item outside grids moves alone, and never between the rows of a grid. */

const idOf = (item: Item): string => placeOf(item).id

/** Returns the items of a page as groups. Each grid is one group, and so is each item outside grids. */
const groupsOnPage = (content: Content, page_number: number): Item[][] =>
  groupGrids(groupIntoPages(content).find(({ number }) => number === page_number)?.items ?? []).map(
    itemsOfGroup,
  )

/** Returns the rows of the grid that contains an item, in order; the item alone outside grids. */
export const groupOf = (content: Content, id: string): Item[] => {
  const rows = [...content.questions, ...content.text_blocks]
  const page_number = rows.find((row) => row.id === id)?.page_number ?? 0
  return (
    groupsOnPage(content, page_number).find((group) => group.some((item) => idOf(item) === id)) ??
    []
  )
}

/**
 * Moves an item, with its whole grid, to a page. `index` counts the other groups of the page that stay before the moved
 * one; a larger index means the end.
 */
export const moveGroup = (
  content: Content,
  id: string,
  { page_number, index }: { page_number: number; index: number },
): Content => {
  const ids = groupOf(content, id).map(idOf)
  const others = groupsOnPage(content, page_number).filter(
    ([first]) => first && !ids.includes(idOf(first)),
  )
  const before = others.slice(0, Math.max(0, index)).flat()
  return moveItems(content, ids.length > 0 ? ids : [id], { page_number, index: before.length })
}
