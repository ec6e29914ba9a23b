import { type RefCallback, useCallback, useState } from 'react'

/** How far off screen something still counts as near: as far as the screen is high. */
const MARGIN = '100% 0px'

const listeners = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

const observe = (element: Element, onChange: (isNear: boolean) => void): (() => void) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  listeners.set(element, onChange)
  observer.observe(element)
  return () => observer?.unobserve(element)
}

/**
 * Whether the item that holds an element is on screen, or close to it. One that has the focus stays
 * near wherever it is, and `approach` says so of one whose content is wanted at once.
 */
export const useNear = (
  wasNear: boolean,
): { ref: RefCallback<Element>; isNear: boolean; approach: () => void } => {
  const [isNear, setNear] = useState(wasNear)
  const ref = useCallback((element: Element | null) => {
    const item = element?.closest<HTMLElement>('[data-item]')
    if (!item) return
    let isSeen = true
    const onLeave = ({ relatedTarget }: FocusEvent): void => {
      // To nowhere it also goes when the words make room for the fields.
      const isElsewhere = relatedTarget instanceof Node && !item.contains(relatedTarget)
      if (!isSeen && isElsewhere) setNear(false)
    }
    item.addEventListener('focusout', onLeave)
    const unobserve = observe(item, (isIntersecting) => {
      isSeen = isIntersecting
      setNear(isSeen || item.contains(document.activeElement))
    })
    return () => {
      unobserve()
      item.removeEventListener('focusout', onLeave)
    }
  }, [])
  return { ref, isNear, approach: () => setNear(true) }
}
