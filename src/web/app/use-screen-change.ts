import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Scrolls a new screen to its top and focuses its heading, which screen readers then read. */
export const useScreenChange = (): void => {
  const { pathname } = useLocation()
  const isFirst = useRef(true)
  useEffect(() => {
    // The browser itself does so on the first screen.
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    window.scrollTo(0, 0)
    return focusHeadingOnceShown(pathname)
  }, [pathname])
}

const focusHeadingOnceShown = (pathname: string): (() => void) => {
  const focus = (): boolean => {
    const heading = document.querySelector<HTMLElement>('h1')
    // The screen may have set the focus itself.
    const isTaken = document.activeElement?.closest('#content, dialog') != null
    if (!heading || window.location.pathname !== pathname) return isTaken
    if (!isTaken) {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    return true
  }
  if (focus()) return () => undefined
  const observer = new MutationObserver(() => {
    if (focus()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}
