/** What the creator was last at: an item, or a page as a whole. */
export type EditorLocation = { item: string } | { page: number }

/** The item or the page that an element belongs to. */
export const locateElement = (element: Element): EditorLocation | undefined => {
  const item = element.closest<HTMLElement>('[data-item]')?.dataset.item
  if (item) return { item }
  const page = element.closest<HTMLElement>('[data-page]')?.dataset.page
  return page ? { page: Number(page) } : undefined
}

/**
 * Where the creator is: at what had the focus last while it is on screen, else at the lowest item or empty page
 * on screen; undefined where there is none, and for a creator who has gone nowhere yet.
 */
export const findCurrentLocation = (last: EditorLocation | null): EditorLocation | undefined => {
  if (!last && scrollY === 0) return undefined
  if (last && isOnScreen(elementOf(last))) return last
  const places = [...document.querySelectorAll('[data-item], [data-page]:not(:has([data-item]))')]
  const lowest = places.findLast(isOnScreen)
  return lowest && locateElement(lowest)
}

const elementOf = (where: EditorLocation): Element | null =>
  document.querySelector(
    'item' in where ? `[data-item="${where.item}"]` : `[data-page="${where.page}"]`,
  )

const isOnScreen = (element: Element | null): boolean => {
  const box = element?.getBoundingClientRect()
  return box !== undefined && box.bottom > 0 && box.top < innerHeight
}
