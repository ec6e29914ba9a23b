import { type RefCallback, useCallback, useState } from 'react'

/** An item counts as in view up to one screen height above and below the screen. */
const MARGIN = '100% 0px'

const listeners = new WeakMap<Element, (isInView: boolean) => void>()
let observer: IntersectionObserver | undefined

const observe = (element: Element, onChange: (isInView: boolean) => void): (() => void) => {
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
 * Whether the item that contains an element is on screen or close to it. An item with the focus counts as in
 * view wherever it is; `show` makes it so for an item whose content is needed at once.
 */
export const useInView = (
  isInViewAtFirst: boolean,
): { ref: RefCallback<Element>; isInView: boolean; show: () => void } => {
  const [isInView, setInView] = useState(isInViewAtFirst)
  const ref = useCallback((element: Element | null) => {
    const item = element?.closest<HTMLElement>('[data-item]')
    if (!item) return
    let isIntersecting = true
    const onLeave = ({ relatedTarget }: FocusEvent): void => {
      // The focus also goes to no element when the placeholders are replaced by the fields.
      const isElsewhere = relatedTarget instanceof Node && !item.contains(relatedTarget)
      if (!isIntersecting && isElsewhere) setInView(false)
    }
    // Not left to the observer, which answers a frame later: Tab may come before.
    const onEnter = (): void => setInView(true)
    item.addEventListener('focusin', onEnter)
    item.addEventListener('focusout', onLeave)
    const unobserve = observe(item, (isNow) => {
      isIntersecting = isNow
      setInView(isIntersecting || item.contains(document.activeElement))
    })
    return () => {
      unobserve()
      item.removeEventListener('focusin', onEnter)
      item.removeEventListener('focusout', onLeave)
    }
  }, [])
  return { ref, isInView, show: () => setInView(true) }
}
