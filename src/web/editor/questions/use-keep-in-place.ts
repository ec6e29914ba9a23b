import { useCallback, useLayoutEffect, useRef } from 'react'
import { onceOnUserEvent, SETTLED_MS } from '#web/editor/use-focus-field.ts'

/** The element around the pages, which takes the room that scrolling cannot give. */
export const PAGES_ID = 'pages'

/**
 * Keeps the focused field where it is on screen through the next change: the function it returns is called
 * before a change that takes fields away above it, or adds some.
 */
export const useKeepInPlace = (): (() => void) => {
  const kept = useRef<{ element: Element; top: number } | null>(null)
  useLayoutEffect(() => {
    const wanted = kept.current
    kept.current = null
    if (wanted?.element.isConnected) holdAt(wanted.element, wanted.top)
  })
  return useCallback(() => {
    const element = document.activeElement
    if (element) kept.current = { element, top: element.getBoundingClientRect().top }
  }, [])
}

/** Also while the points to fix come in behind the change, until the creator scrolls or goes on. */
const holdAt = (element: Element, top: number): void => {
  const hold = (): void => {
    if (element === document.activeElement) moveBack(element, top)
  }
  hold()
  const observer = new ResizeObserver(hold)
  observer.observe(document.body)
  const stop = (): void => observer.disconnect()
  setTimeout(stop, SETTLED_MS)
  onceOnUserEvent(stop)
}

const moveBack = (element: Element, top: number): void => {
  const moved = (): number => element.getBoundingClientRect().top - top
  scrollBy({ top: moved(), behavior: 'instant' })
  const rest = moved()
  const pages = document.getElementById(PAGES_ID)
  if (Math.abs(rest) < 1 || !pages) return
  if (rest > 0) {
    pages.style.paddingBottom = `${roomIn(pages.style.paddingBottom) + rest}px`
    scrollBy({ top: rest, behavior: 'instant' })
  } else {
    pages.style.paddingTop = `${roomIn(pages.style.paddingTop) - rest}px`
    takeBackOnScroll(pages)
  }
}

const roomIn = (padding: string): number => Number.parseFloat(padding) || 0

/** Takes the room above the pages away as soon as scrolling can give it, which nobody sees. */
const takeBackOnScroll = (pages: HTMLElement): void => {
  const onScroll = (): void => {
    const room = roomIn(pages.style.paddingTop)
    if (scrollY < room) return
    removeEventListener('scroll', onScroll)
    pages.style.paddingTop = ''
    scrollBy({ top: -room, behavior: 'instant' })
  }
  addEventListener('scroll', onScroll, { passive: true })
}
