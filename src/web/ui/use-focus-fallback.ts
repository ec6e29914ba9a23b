import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Returns a ref for an element. If the element is removed while it contains the focus, the element that `findNext`
 * returns gets the focus.
 */
export const useFocusFallback = <E extends HTMLElement>(
  findNext: (leaving: E) => HTMLElement | null,
): RefObject<E | null> => {
  const leaving = useRef<E>(null)
  const find = useRef(findNext)
  useLayoutEffect(() => {
    const element = leaving.current
    const next = find.current
    return () => {
      if (element?.contains(document.activeElement)) next(element)?.focus({ preventScroll: true })
    }
  }, [])
  return leaving
}
