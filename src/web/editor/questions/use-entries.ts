import { useRef } from 'react'
import { itemsInOrder, placeOf } from '#domain/pages.ts'
import type { Question, TextBlock } from '#domain/quiz.ts'
import type { Groups } from '#web/ui/sort-groups.ts'
import { numbersOf } from './page-places.ts'
import type { QuestionsDraft } from './questions-draft.ts'

/** The content of one item, without its place. */
export type Entry = {
  id: string
  /** The question or text block, the same object until it is edited. */
  content: Question | TextBlock
  /** Among the questions or the text blocks, from 1. */
  number: number
  /** Why it cannot be published as it is. */
  problem: string | undefined
}

/**
 * The entries of each page, in the order of `groups`. Unchanged entries and pages are the same objects as in
 * the last render, so that a keystroke in a long questionnaire renders one page only.
 */
export const useEntries = (
  draft: QuestionsDraft,
  problems: ReadonlyMap<string, string>,
): ((groups: Groups) => [page: string, entries: readonly Entry[]][]) => {
  const known = useRef(new Map<string, Entry>())
  const pages = useRef(new Map<string, readonly Entry[]>())
  const numbers = numbersOf(draft)
  const entries = new Map<string, Entry>()
  for (const item of itemsInOrder(draft)) {
    const { id } = placeOf(item)
    const content = item.kind === 'question' ? item.question : item.text_block
    const entry = { id, content, number: numbers.get(id) ?? 0, problem: problems.get(id) }
    const before = known.current.get(id)
    entries.set(id, before && isSameEntry(before, entry) ? before : entry)
  }
  known.current = entries
  return (groups) =>
    Object.entries(groups).map(([page, ids]) => {
      const shown = ids.flatMap((id) => entries.get(id) ?? [])
      const before = pages.current.get(page)
      const kept = before && isSameList(before, shown) ? before : shown
      pages.current.set(page, kept)
      return [page, kept]
    })
}

const isSameEntry = (a: Entry, b: Entry): boolean =>
  a.content === b.content && a.number === b.number && a.problem === b.problem

const isSameList = (a: readonly Entry[], b: readonly Entry[]): boolean =>
  a.length === b.length && a.every((entry, index) => entry === b[index])
