import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** A new screen begins at its top, with its heading in focus for those who listen to it. */
export const useScreenChange = (): void => {
  const { pathname } = useLocation()
  const isFirst = useRef(true)
  useEffect(() => {
    // The browser itself takes care of the first screen.
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
    // A screen that put the focus somewhere itself knows better.
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
