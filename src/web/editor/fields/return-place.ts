import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { PREVIEW_LINK_ID } from './field-ids.ts'
import { onceRendered } from './focus.ts'
import { scrollBackTo } from './scrolling.ts'

/** Place of an editor screen that the creator left: its position on screen, and its focused field. */
type ReturnPlace = {
  /** Selector of the question or text block on screen; null for the top of the document. */
  item: string | null
  top: number
  focus_id: string
}

/** Places of the screens that were left, by the key of their history entry. */
const places = new Map<string, ReturnPlace>()

/** Ids that React generates differ after the screen is opened again. */
const GENERATED_ID = /^_|:/

/**
 * Reopens an editor screen where the creator left it: at the same position, with the focus in the same field. Applies
 * to « Fermer l’aperçu » and to the browser's Back.
 */
export const useReturnPlace = (): void => {
  const { key } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const lastField = useRef<Element | null>(null)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target.closest('main') && !target.closest('header'))
        lastField.current = target
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  // A layout effect, because its cleanup runs while the screen is still in the document.
  useLayoutEffect(() => () => void places.set(key, findReturnPlace(lastField.current)), [key])

  const opened = useRef(isReturn ? places.get(key) : undefined)
  useEffect(() => {
    const place = opened.current
    return place && reopenAt(place)
  }, [])
}

const findReturnPlace = (lastField: Element | null): ReturnPlace => {
  const field = lastField && isOnScreen(lastField) ? lastField : null
  const item =
    field?.closest('[data-item]') ?? [...document.querySelectorAll('[data-item]')].find(isOnScreen)
  const anchor = item ?? document.documentElement
  const id = item?.getAttribute('data-item')
  return {
    item: id ? `[data-item="${id}"]` : null,
    top: anchor.getBoundingClientRect().top,
    focus_id: field?.id && !GENERATED_ID.test(field.id) ? field.id : PREVIEW_LINK_ID,
  }
}

const isOnScreen = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return element.isConnected && bottom > 0 && top < innerHeight
}

/** Long questionnaires render in batches, so the item can appear later. Returns a function that ends the wait. */
const reopenAt = ({ item, top, focus_id }: ReturnPlace): (() => void) => {
  let stopScrolling = (): void => undefined
  const stopWaiting = onceRendered(() => {
    const anchor = item ? document.querySelector(item) : document.documentElement
    if (!anchor) return false
    document.getElementById(focus_id)?.focus({ preventScroll: true })
    stopScrolling = scrollBackTo(anchor, top)
    return true
  })
  return () => {
    stopWaiting()
    stopScrolling()
  }
}
