import { type KeyboardEvent, useMemo } from 'react'
import type { Item } from '#domain/questionnaire/pages.ts'
import { findPlace, type Groups } from '#web/ui/sorting/sort-groups.ts'
import { useLatest } from '#web/ui/use-latest.ts'
import type { ItemKind } from './item-kinds.tsx'
import { type PagePosition, positionOf } from './item-positions.ts'
import type { ContentActions, MenuOptions } from './use-content-actions.ts'

/**
 * Returns true for a slash typed on an empty line, and keeps the slash from being typed. The caller then
 * opens the menu that adds items.
 */
export const handleAddMenuKey = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
  const { key, ctrlKey, metaKey, currentTarget, nativeEvent } = event
  if (key !== '/' || ctrlKey || metaKey || nativeEvent.isComposing) return false
  const { value, selectionStart, selectionEnd } = currentTarget
  const isEmptyLine = [value[selectionStart - 1] ?? '\n', value[selectionEnd] ?? '\n'].every(
    (beside) => beside === '\n',
  )
  if (selectionStart !== selectionEnd || !isEmptyLine) return false
  event.preventDefault()
  return true
}

/** Actions on an item, by its id. The functions are stable, so that memoised items are not rendered again. */
export type ItemActions = {
  move: (id: string, to: PagePosition) => void
  /** Moves one step up (-1) or down (1), at the end of a page to the neighbouring page. */
  step: (id: string, step: -1 | 1) => void
  copy: (id: string) => void
  /**
   * Opens or closes the menu that adds an item after this one, next to `opener`. Returns true if the menu is
   * open afterwards.
   */
  addAfter: (id: string, opener: HTMLElement, options?: MenuOptions) => boolean
  addToPage: (kind: ItemKind, page_number: number) => void
  /** Opens the dialog that adds a grid to a page. */
  addGridToPage: (page_number: number) => void
  /** Adds the preset « Coordonnées » to a page. */
  addContactToPage: (page_number: number) => void
  /** Focuses the next question on the page, or adds a question after the last one. */
  goToNextQuestion: (id: string) => void
  remove: (id: string) => void
  /** Opens the dialog that gives several rows of a grid the same settings. */
  openSettings: (id: string) => void
  /** Shows a toast that can undo the change. */
  announce: (text: string) => void
  /** Returns the number of questions that can be added. */
  maxNewQuestions: () => number
}

/** Returns the actions on items as stable functions. */
export const useItemActions = (
  contentActions: ContentActions,
  {
    items,
    groups,
    announce,
  }: {
    items: ReadonlyMap<string, Item>
    groups: Groups
  } & Pick<ItemActions, 'announce'>,
): ItemActions => {
  const latest = useLatest({ contentActions, items, groups, announce })
  return useMemo(
    () => ({
      move: (id, to) => latest.current.contentActions.move(id, to),
      step: (id, step) => {
        const place = findPlace(latest.current.groups, id)
        const position = place && positionOf(latest.current.groups, place)
        const to = step < 0 ? position?.above : position?.below
        if (to) latest.current.contentActions.move(id, to)
      },
      copy: (id) => {
        const item = latest.current.items.get(id)
        if (item) latest.current.contentActions.copy(item)
      },
      addAfter: (id, opener, options) =>
        latest.current.contentActions.toggleMenu(id, opener, options),
      addToPage: (kind, page_number) => latest.current.contentActions.add(kind, { page_number }),
      addGridToPage: (page_number) =>
        latest.current.contentActions.openGrid({ to: { page_number } }),
      addContactToPage: (page_number) => latest.current.contentActions.addContact({ page_number }),
      goToNextQuestion: (id) => latest.current.contentActions.goToNextQuestion(id),
      remove: (id) => {
        const item = latest.current.items.get(id)
        if (item) void latest.current.contentActions.remove(item)
      },
      openSettings: (id) => latest.current.contentActions.openSettings(id),
      announce: (text) => latest.current.announce(text),
      maxNewQuestions: () => latest.current.contentActions.max_new_questions,
    }),
    [latest],
  )
}
