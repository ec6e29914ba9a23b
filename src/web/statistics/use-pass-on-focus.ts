import { type RefObject, useLayoutEffect, useRef } from 'react'

/** For an element that may leave while it has the focus, which then goes on to what `findNext` finds. */
export const usePassOnFocus = <E extends HTMLElement>(
  findNext: () => HTMLElement | null,
): RefObject<E | null> => {
  const leaving = useRef<E>(null)
  const find = useRef(findNext)
  useLayoutEffect(() => {
    const element = leaving.current
    const next = find.current
    return () => {
      if (element?.contains(document.activeElement)) next()?.focus({ preventScroll: true })
    }
  }, [])
  return leaving
}
