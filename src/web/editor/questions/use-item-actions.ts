import { useMemo } from 'react'
import type { Item } from '#domain/pages.ts'
import { labelsBefore } from '#domain/text-check.ts'
import { findPlace, type Groups } from '#web/ui/sort-groups.ts'
import { useLatest } from '#web/ui/use-latest.ts'
import type { ItemKind } from './item-kinds.tsx'
import { spotOf, type To } from './page-places.ts'
import type { QuestionsDraft } from './questions-draft.ts'
import type { Gestures } from './use-gestures.ts'

/** The actions on an item, by its id; stable functions, so that memoised items stay. */
export type ItemActions = {
  move: (id: string, to: To) => void
  /** Moves one step up (-1) or down (1), at the end of a page to the neighbouring page. */
  step: (id: string, step: -1 | 1) => void
  copy: (id: string) => void
  /** Opens or closes the menu of what to add after this item, by the element that asks; false when it is closed. */
  addAfter: (id: string, opener: HTMLElement, onClose?: () => void) => boolean
  addToPage: (kind: ItemKind, page_number: number) => void
  /** Goes to the next question of the page, which it adds after the last. */
  goOn: (id: string) => void
  remove: (id: string) => void
  /** The names of earlier replies that the text of an item may insert. */
  insertable: (id: string) => readonly string[]
  /** Shows a toast that can undo the change. */
  announce: (text: string) => void
}

export const useItemActions = (
  gestures: Gestures,
  {
    draft,
    items,
    groups,
    announce,
  }: {
    draft: QuestionsDraft
    items: ReadonlyMap<string, Item>
    groups: Groups
  } & Pick<ItemActions, 'announce'>,
): ItemActions => {
  const latest = useLatest({ gestures, draft, items, groups, announce })
  return useMemo(
    () => ({
      move: (id, to) => latest.current.gestures.move(id, to),
      step: (id, step) => {
        const place = findPlace(latest.current.groups, id)
        const spot = place && spotOf(latest.current.groups, place)
        const to = step < 0 ? spot?.above : spot?.below
        if (to) latest.current.gestures.move(id, to)
      },
      copy: (id) => {
        const item = latest.current.items.get(id)
        if (item) latest.current.gestures.copy(item)
      },
      addAfter: (id, opener, onClose) => latest.current.gestures.ask(id, opener, onClose),
      addToPage: (kind, page_number) => latest.current.gestures.add(kind, { page_number }),
      goOn: (id) => latest.current.gestures.goOn(id),
      remove: (id) => {
        const item = latest.current.items.get(id)
        if (item) void latest.current.gestures.remove(item)
      },
      insertable: (id) => labelsBefore(latest.current.draft, id),
      announce: (text) => latest.current.announce(text),
    }),
    [latest],
  )
}
