import { useMemo } from 'react'
import type { Item } from '#domain/pages.ts'
import { ADD_ITEM_ID } from '#web/editor/publish-targets.ts'
import { useLatest } from '#web/editor/use-latest.ts'
import { findPlace, type Groups } from '#web/ui/sort-groups.ts'
import { spotOf, type To } from './page-places.ts'
import type { Gestures } from './use-gestures.ts'

/** The actions on an item, by its id; stable functions, so that memoised items stay. */
export type ItemActions = {
  move: (id: string, to: To) => void
  /** Moves one step up (-1) or down (1), at the end of a page to the neighbouring page. */
  step: (id: string, step: -1 | 1) => void
  copy: (id: string) => void
  /** Opens the add menu, whose new item goes after this one. */
  addAfter: (id: string) => void
  remove: (id: string) => void
  deletePage: (page_number: number) => void
  /** Shows a toast that can undo the change. */
  announce: (text: string) => void
}

export const useItemActions = (
  gestures: Gestures,
  {
    items,
    groups,
    announce,
  }: { items: ReadonlyMap<string, Item>; groups: Groups } & Pick<ItemActions, 'announce'>,
): ItemActions => {
  const latest = useLatest({ gestures, items, groups, announce })
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
      addAfter: (id) => {
        latest.current.gestures.goTo(id)
        document.getElementById(ADD_ITEM_ID)?.click()
      },
      remove: (id) => {
        const item = latest.current.items.get(id)
        if (item) void latest.current.gestures.remove(item)
      },
      deletePage: (page_number) => void latest.current.gestures.deletePage(page_number),
      announce: (text) => latest.current.announce(text),
    }),
    [latest],
  )
}
