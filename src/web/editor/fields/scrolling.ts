import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { LAYOUT_SETTLE_MS, onceOnUserEvent } from './focus.ts'

/** The element around the pages, which takes the room that scrolling cannot give. */
export const PAGES_ID = 'pages'

/**
 * Keeps the focused field where it is on screen through the next change: the function it returns is called
 * before a change that takes fields away above it, or adds some.
 */
export const useKeepInPlace = (): (() => void) => {
  const kept = useRef<{ element: Element; top: number } | null>(null)
  const release = useRef<(() => void) | undefined>(undefined)
  useLayoutEffect(() => {
    const wanted = kept.current
    kept.current = null
    if (!wanted?.element.isConnected) return
    release.current?.()
    release.current = holdAt(wanted.element, wanted.top)
  })
  useEffect(() => () => release.current?.(), [])
  return useCallback(() => {
    const element = document.activeElement
    if (element) kept.current = { element, top: element.getBoundingClientRect().top }
  }, [])
}

/**
 * Also while the points to fix come in behind the change, until the creator scrolls or goes on. Returns what
 * ends it at once.
 */
const holdAt = (element: Element, top: number): (() => void) => {
  const hold = (): void => {
    if (element === document.activeElement) moveBack(element, top)
  }
  hold()
  const observer = new ResizeObserver(hold)
  observer.observe(document.body)
  const stop = (): void => observer.disconnect()
  setTimeout(stop, LAYOUT_SETTLE_MS)
  onceOnUserEvent(stop)
  const stopTakingBack = takeBackOnScroll()
  return () => {
    stop()
    stopTakingBack()
  }
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
  }
}

const roomIn = (padding: string): number => Number.parseFloat(padding) || 0

/** Takes the room away as soon as scrolling can do without it, which leaves the pages where they are. */
const takeBackOnScroll = (): (() => void) => {
  const pages = document.getElementById(PAGES_ID)
  const listening = new AbortController()
  const onScroll = (): void => {
    // Another screen scrolls the same window.
    if (!pages?.isConnected) {
      listening.abort()
      return
    }
    const [above, below] = [roomIn(pages.style.paddingTop), roomIn(pages.style.paddingBottom)]
    const { scrollHeight, clientHeight } = document.documentElement
    if (below > 0 && scrollY <= Math.max(0, scrollHeight - below - clientHeight))
      pages.style.paddingBottom = ''
    if (above > 0 && scrollY >= above) {
      pages.style.paddingTop = ''
      scrollBy({ top: -above, behavior: 'instant' })
    }
  }
  addEventListener('scroll', onScroll, { passive: true, signal: listening.signal })
  return () => listening.abort()
}
