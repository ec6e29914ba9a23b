import { startTransition, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { groupGrids, itemsOfGroup } from '#domain/questionnaire/grids/grids.ts'
import { groupIntoPages, type Item, placeOf } from '#domain/questionnaire/pages.ts'
import type { Question, TextBlock } from '#domain/questionnaire/quiz.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import type { Groups } from '#web/ui/sorting/sort-groups.ts'
import type { QuestionsDraft } from './questions-reducer.ts'

/** Number of items rendered when the screen opens, and number added by each further render. */
const INITIAL_ITEMS = 15
const MORE_ITEMS = 10

/**
 * Returns how many items, in reading order, are rendered. A long questionnaire starts with few items, so that
 * the screen opens at once. A moved item or a field requested by the previous step renders all items.
 */
export const useIncrementalRendering = (groups: Groups): number => {
  const hasTarget = useLocation().state !== null
  const [count, setCount] = useState(hasTarget ? Number.POSITIVE_INFINITY : INITIAL_ITEMS)
  const [opened] = useState(() => layoutOf(groups))
  const total = Object.values(groups).flat().length
  const isWhole = count >= total || layoutOf(groups) !== opened
  useEffect(() => {
    if (isWhole) setCount(Number.POSITIVE_INFINITY)
    else startTransition(() => setCount(count + MORE_ITEMS))
  }, [count, isWhole])
  return isWhole ? total : count
}

const layoutOf = (groups: Groups): string => Object.values(groups).join('|')

/** Content of one item, without its position. */
export type ItemEntry = {
  id: string
  /** Question or text block; the same object until it is edited. */
  content: Question | TextBlock
  /** Number among the questions or the text blocks, from 1. */
  number: number
  /** Point to fix before publishing. */
  problem: string | undefined
  /** Rows of the grid that begins with this question; undefined outside grids. */
  rows?: readonly ItemEntry[] | undefined
  /**
   * First row of the preceding grid if the question does not fit this grid; null if no grid precedes. Undefined for a
   * question that need not continue a grid, or continues one.
   */
  misfit_of?: Question | null | undefined
}

/**
 * Returns a function that lists the entries of each page in the order of `groups`. Unchanged entries and
 * pages keep their objects, so that a keystroke renders one page only.
 */
export const useItemEntries = (
  draft: QuestionsDraft,
  problems: ReadonlyMap<string, string>,
): ((groups: Groups) => [page: string, entries: readonly ItemEntry[]][]) => {
  const known = useRef(new Map<string, ItemEntry>())
  const pages = useRef(new Map<string, readonly ItemEntry[]>())
  const numbers = numbersOf(draft)
  const entries = new Map<string, ItemEntry>()
  const entryOf = (item: Item, more: Partial<ItemEntry>): ItemEntry => {
    const { id } = placeOf(item)
    const content = item.kind === 'question' ? item.question : item.text_block
    return { id, content, number: numbers.get(id) ?? 0, problem: problems.get(id), ...more }
  }
  const kept = (entry: ItemEntry, before: ItemEntry | undefined): ItemEntry =>
    before && isSameEntry(before, entry) ? before : entry
  for (const { items } of groupIntoPages(draft)) {
    let first_row: Question | null = null
    for (const group of groupGrids(items)) {
      const [first, ...others] = itemsOfGroup(group)
      if (!first) continue
      const { id } = placeOf(first)
      const before = known.current.get(id)
      const question = first.kind === 'question' ? first.question : null
      const isMisfit = question?.continues_grid
      const entry = entryOf(first, isMisfit ? { misfit_of: first_row } : {})
      if (!isMisfit) first_row = question
      if (group.kind === 'grid') {
        const rows = [first, ...others].map((item, rank) =>
          kept(entryOf(item, {}), before?.rows?.[rank]),
        )
        entry.rows = before?.rows && isSameList(before.rows, rows) ? before.rows : rows
      }
      entries.set(id, kept(entry, before))
    }
  }
  known.current = entries
  return (groups) =>
    Object.entries(groups).map(([page, ids]) => {
      const shown = ids.flatMap((id) => entries.get(id) ?? [])
      const before = pages.current.get(page)
      const list = before && isSameList(before, shown) ? before : shown
      pages.current.set(page, list)
      return [page, list]
    })
}

const isSameEntry = (a: ItemEntry, b: ItemEntry): boolean =>
  a.content === b.content &&
  a.number === b.number &&
  a.problem === b.problem &&
  a.rows === b.rows &&
  a.misfit_of === b.misfit_of

const isSameList = (a: readonly ItemEntry[], b: readonly ItemEntry[]): boolean =>
  a.length === b.length && a.every((entry, index) => entry === b[index])
