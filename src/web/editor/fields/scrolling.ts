import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Scrolling of the editor screens: keeps the focused field on screen while the layout changes. Every automatic
 * scrolling ends when the creator scrolls or types.
 */

/** Events by which the creator scrolls or moves the focus. */
const USER_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown', 'beforeinput'] as const

/** Frames without a movement after which the layout is stable. Frames are counted, because a slow device needs more time. */
const LAYOUT_SETTLE_FRAMES = 240

/** Calls `stop` once, when the creator scrolls, clicks or types. */
export const onceOnUserEvent = (stop: () => void): void => {
  const listening = new AbortController()
  const onEvent = (): void => {
    listening.abort()
    stop()
  }
  for (const name of USER_EVENTS)
    addEventListener(name, onEvent, { passive: true, capture: true, signal: listening.signal })
}

/**
 * Scrolls the focused field into view, and keeps it there while questions above render their fields and move it.
 * Shows as much as possible of the part around the field that matches the selector `around`.
 */
export const keepFocusInView = (around?: string): void => {
  const show = (): void => {
    const { activeElement } = document
    if (around) activeElement?.closest(around)?.scrollIntoView({ block: 'nearest' })
    activeElement?.scrollIntoView({ block: 'nearest' })
  }
  repeatUntilSettled(show)
}

/**
 * Id of the element around the pages. Padding on this element replaces scroll distance that the document does
 * not have.
 */
export const PAGES_ID = 'pages'

/**
 * Keeps the focused field at its position on screen through the next change, or the pressed one in browsers that do
 * not focus it. The returned function must be called before a change that adds or removes fields above.
 */
export const useKeepInPlace = (): (() => void) => {
  const kept = useRef<{ element: Element; top: number } | null>(null)
  const release = useRef<(() => void) | undefined>(undefined)
  useLayoutEffect(() => {
    const heldPosition = kept.current
    kept.current = null
    if (!heldPosition?.element.isConnected) return
    release.current?.()
    release.current = holdAt(heldPosition.element, heldPosition.top)
  })
  useEffect(() => () => release.current?.(), [])
  return useCallback(() => {
    const { activeElement, body } = document
    const element =
      activeElement === body ? [...document.querySelectorAll(':hover')].at(-1) : activeElement
    if (element) kept.current = { element, top: element.getBoundingClientRect().top }
  }, [])
}

/**
 * Holds an element at a position on screen while the layout settles, until the creator scrolls or types.
 * Returns a function that stops it.
 */
const holdAt = (element: Element, top: number): (() => void) => {
  const focused = document.activeElement
  const stop = repeatUntilSettled(
    () => {
      if (focused === document.activeElement) moveBack(element, top)
    },
    () => element,
  )
  const stopRemovingPadding = removePaddingOnScroll()
  return () => {
    stop()
    stopRemovingPadding()
  }
}

/**
 * Calls `restorePosition` now and each time the element has moved on the page, until the layout is stable or the creator acts.
 * Sizes are observed too, because some change after the start of a frame. Returns a function that stops it.
 */
const repeatUntilSettled = (
  restorePosition: () => void,
  element: () => Element | null = () => document.activeElement,
): (() => void) => {
  // Scrolling does not change this distance from the top of the page.
  const topOnPage = (): number =>
    Math.round((element()?.getBoundingClientRect().top ?? 0) + scrollY)
  let frames = 0
  let known_top = 0
  const restoreAndRecord = (): void => {
    frames = 0
    restorePosition()
    known_top = topOnPage()
  }
  restoreAndRecord()
  const observer = new ResizeObserver(restoreAndRecord)
  observer.observe(document.body)
  const onFrame = (): void => {
    if (topOnPage() !== known_top) restoreAndRecord()
    if (++frames < LAYOUT_SETTLE_FRAMES) frame = requestAnimationFrame(onFrame)
    else observer.disconnect()
  }
  let frame = requestAnimationFrame(onFrame)
  const stop = (): void => {
    cancelAnimationFrame(frame)
    observer.disconnect()
  }
  onceOnUserEvent(stop)
  return stop
}

/**
 * Scrolls an element of a screen that was just opened to a position, and holds it there while the layout settles.
 * Returns a function that stops it.
 */
export const scrollBackTo = (element: Element, top: number): (() => void) =>
  repeatUntilSettled(
    () => scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' }),
    () => element,
  )

const moveBack = (element: Element, top: number): void => {
  const moved = (): number => element.getBoundingClientRect().top - top
  scrollBy({ top: moved(), behavior: 'instant' })
  const rest = moved()
  const pages = document.getElementById(PAGES_ID)
  if (Math.abs(rest) < 1 || !pages) return
  if (rest > 0) {
    pages.style.paddingBottom = `${paddingPx(pages.style.paddingBottom) + rest}px`
    scrollBy({ top: rest, behavior: 'instant' })
  } else {
    pages.style.paddingTop = `${paddingPx(pages.style.paddingTop) - rest}px`
  }
}

const paddingPx = (padding: string): number => Number.parseFloat(padding) || 0

/**
 * Removes the padding as soon as scrolling no longer needs it, so that the pages do not move on screen.
 * Returns a function that stops it.
 */
const removePaddingOnScroll = (): (() => void) => {
  const pages = document.getElementById(PAGES_ID)
  const listening = new AbortController()
  const onScroll = (): void => {
    // The page list was removed, so the window now scrolls another screen.
    if (!pages?.isConnected) {
      listening.abort()
      return
    }
    const [above, below] = [paddingPx(pages.style.paddingTop), paddingPx(pages.style.paddingBottom)]
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
