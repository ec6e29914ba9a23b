import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus on the page: when the control that had it is removed or disabled, also while a dialog is
 * open, the heading of its section gets it.
 */
export const useKeptFocus = (): RefObject<HTMLDivElement | null> => {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let last: { control: Element; headings: (HTMLElement | null | undefined)[] } | null = null

    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target.closest('dialog')) return
      const isOnPage = page.current?.contains(target)
      const heading = target.closest('section')?.querySelector<HTMLElement>('h2, h3')
      const title = page.current?.querySelector<HTMLElement>('h1')
      last = isOnPage ? { control: target, headings: [heading, title] } : null
    }
    const check = (): void => {
      if (!last) return
      const { control, headings } = last
      const isGone = !control.isConnected || control.matches(':disabled')
      const isFree = [control, document.body].includes(document.activeElement ?? document.body)
      const heading = headings.find((candidate) => candidate?.isConnected)
      if (!isGone || !isFree || !heading) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }

    document.addEventListener('focusin', onFocus)
    const observer = new MutationObserver(check)
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['disabled', 'open'],
    })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
  return page
}
