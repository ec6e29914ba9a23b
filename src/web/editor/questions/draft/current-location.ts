import { useEffect, useRef } from 'react'

/** Item or page that the creator last worked on. */
export type EditorLocation = { item: string } | { page: number }

/** Returns the item or page that an element belongs to. */
const locateElement = (element: Element): EditorLocation | undefined => {
  const item = element.closest<HTMLElement>('[data-item]')?.dataset.item
  if (item) return { item }
  const page = element.closest<HTMLElement>('[data-page]')?.dataset.page
  return page ? { page: Number(page) } : undefined
}

/**
 * Returns the last focused item or page if it is on screen. Otherwise returns the lowest item or empty page
 * on screen. Undefined before any focus or scrolling.
 */
export const findCurrentLocation = (last: EditorLocation | null): EditorLocation | undefined => {
  if (!last && scrollY === 0) return undefined
  if (last && isOnScreen(elementOf(last))) return last
  const places = [...document.querySelectorAll('[data-item], [data-page]:not(:has([data-item]))')]
  const lowest = places.findLast(isOnScreen)
  return lowest && locateElement(lowest)
}

const elementOf = (editor_location: EditorLocation): Element | null =>
  document.querySelector(
    'item' in editor_location
      ? `[data-item="${editor_location.item}"]`
      : `[data-page="${editor_location.page}"]`,
  )

const isOnScreen = (element: Element | null): boolean => {
  const box = element?.getBoundingClientRect()
  return box !== undefined && box.bottom > 0 && box.top < innerHeight
}

/**
 * Returns a ref to the item or page that had the focus last. The floating button belongs to no item or page,
 * so it does not count.
 */
export const useLastLocation = () => {
  const last = useRef<EditorLocation | null>(null)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const editor_location = target instanceof Element ? locateElement(target) : undefined
      if (editor_location) last.current = editor_location
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return last
}
