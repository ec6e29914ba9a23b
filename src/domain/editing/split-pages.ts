import { onPage } from '#domain/questionnaire/arrange.ts'
import { groupGrids, itemsOfGroup } from '#domain/questionnaire/grids/grids.ts'
import {
  type Content,
  groupIntoPages,
  type Item,
  placeItems,
  renumberJumps,
} from '#domain/questionnaire/pages.ts'
import type { Question, TextBlock } from '#domain/questionnaire/quiz.ts'

/**
 * Returns the items of a page as one part for each question or grid. A text block belongs to the following question, or
 * to the last one at the end of the page. A page without questions is one part.
 */
const partsOf = (items: readonly Item[]): Item[][] => {
  const parts: Item[][] = []
  let texts: Item[] = []
  for (const group of groupGrids(items)) {
    if (group.kind === 'text_block') texts.push(group)
    else {
      parts.push([...texts, ...itemsOfGroup<Question, TextBlock>(group)])
      texts = []
    }
  }
  const last = parts.at(-1)
  if (last) last.push(...texts)
  else parts.push(texts)
  return parts
}

/** Content with its number of pages; empty pages count too. */
type Pages = Content & { page_count: number }

/** Function that gives each question its own page. */
export type SplitPages = (pages: Pages) => Pages

/**
 * Gives each question or grid its own page, with its text blocks. The order of the items and empty pages stay. A jump to
 * a page that was split leads to the first of the new pages.
 */
export const splitPages: SplitPages = (pages) => {
  const items: Item[] = []
  const added = new Map<number, number>()
  let shift = 0
  for (const page of groupIntoPages(pages)) {
    const parts = partsOf(page.items)
    for (const [index, part] of parts.entries())
      items.push(...part.map((item) => onPage(item, page.number + shift + index)))
    added.set(page.number, parts.length - 1)
    shift += parts.length - 1
  }
  const shiftBefore = (page_number: number): number =>
    [...added].reduce((sum, [number, count]) => (number < page_number ? sum + count : sum), 0)
  const { questions, text_blocks } = placeItems(items)
  return {
    questions: renumberJumps(questions, (to) => to + shiftBefore(to)),
    text_blocks,
    page_count: pages.page_count + shift,
  }
}
