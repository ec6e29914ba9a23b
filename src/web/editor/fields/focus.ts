import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { FieldTarget } from './publish-targets.ts'
import { keepFocusInView, onceOnUserEvent } from './scrolling.ts'
import type { Step } from './steps.ts'
import { targetPath } from './target-path.ts'

/**
 * Focus of the editor screens. Fields may be on another step, hidden in a closed part, or not rendered yet.
 */

/** Returns functions that focus a field, scrolled to the middle of the screen, on this step or on another one. */
export const useFocusField = (
  quizId: string,
  current: Step,
): { focusField: (id: string) => void; goToField: (target: FieldTarget) => void } => {
  const navigate = useNavigate()
  const state: unknown = useLocation().state
  const [field_ids, setFieldIds] = useState(() => readFieldIds(state))

  // Runs after the effects of closing dialogs, which return the focus to their opener.
  useEffect(() => focusOnceRendered(field_ids), [field_ids])

  const goToField = (target: FieldTarget): void => {
    const { step, field_ids } = target
    const path = targetPath(quizId, target)
    if (step !== current) {
      void navigate(path, { state: { field_ids } })
      return
    }
    // Opens the tab of the field.
    if (step === 'settings') void navigate(path, { replace: true })
    // A new array, so that the same field can be focused again.
    setFieldIds([...field_ids])
  }
  return { focusField: (id) => setFieldIds([id]), goToField }
}

/** Returns the field ids that the previous step passed in the navigation state. */
const readFieldIds = (state: unknown): readonly string[] => {
  if (typeof state !== 'object' || state === null || !('field_ids' in state)) return []
  const { field_ids } = state
  return Array.isArray(field_ids) ? field_ids.filter((id) => typeof id === 'string') : []
}

/** Focuses the element with this id without scrolling to the middle; returns false if there is none. */
export const focusElement = (id: string): boolean => {
  const element = document.getElementById(id)
  element?.focus()
  return element !== null
}

/**
 * Focuses the first of these fields that is rendered, and waits for one if none is. Long questionnaires render
 * in batches, and some fields are loaded lazily. Returns a function that ends the wait.
 */
export const focusOnceRendered = (ids: readonly string[]): (() => void) | undefined =>
  ids.length === 0 ? undefined : onceRendered(() => focusFirst(ids))

/**
 * Calls `act` after each change of the document until it returns true or the creator acts. Returns a function that
 * ends the wait.
 */
export const onceRendered = (act: () => boolean): (() => void) => {
  const observer = new MutationObserver(() => {
    if (act()) observer.disconnect()
  })
  const stop = (): void => observer.disconnect()
  if (act()) return stop
  observer.observe(document.body, { childList: true, subtree: true })
  onceOnUserEvent(stop)
  return stop
}

/** Focuses the first of these fields that is rendered, in the middle of the screen; returns false if none is. */
export const focusFirst = (ids: readonly string[]): boolean => {
  const element = firstRendered(ids)
  if (!element) return false
  openAround(element)
  element.scrollIntoView({ block: 'center' })
  focusField(element)
  return true
}

const focusField = (element: HTMLElement): void => {
  const chosen = element.querySelector<HTMLElement>(':scope:is(fieldset) :checked')
  ;(chosen ?? element).focus({ preventScroll: true })
  keepFocusInView()
}

/**
 * Focuses the first rendered of these fields and highlights it for a moment, when one is rendered. The focus stays at a
 * button of the header, so that it can be pressed again. Returns a function that ends the wait.
 */
export const showFieldOnceRendered = (ids: readonly string[]): (() => void) | undefined =>
  ids.length === 0 ? undefined : onceRendered(() => showFirst(ids))

const showFirst = (ids: readonly string[]): boolean => {
  const element = firstRendered(ids)
  if (!element) return false
  openAround(element)
  element.scrollIntoView({ block: 'nearest' })
  if (!document.activeElement?.matches('header button:enabled')) focusField(element)
  element.animate(
    [{ boxShadow: '0 0 0 4px var(--color-brand)' }, { boxShadow: 'none' }],
    HIGHLIGHT_MS,
  )
  return true
}

/** Duration of the highlight, a fading outline without movement. */
const HIGHLIGHT_MS = 900

/** Returns the first rendered field; undefined while the code of a more specific field is being loaded. */
const firstRendered = (ids: readonly string[]): HTMLElement | undefined => {
  for (const id of ids) {
    const found = document.getElementById(id)
    if (found) return found
    if (document.querySelector(`[data-loading="${id}"]`)) return undefined
  }
  return undefined
}

/** Returns true if the first rendered of these fields is in a closed part of the screen. */
export const isInClosedPart = (ids: readonly string[]): boolean =>
  firstRendered(ids)?.checkVisibility() === false

/** Name of the event on a hidden part that was just opened, for the component that hides it. */
const OPENED_EVENT = 'opened'

/** Opens the closed `details` and the hidden or folded part around a field. */
const openAround = (element: Element): void => {
  const details = element.closest('details')
  if (details) details.open = true
  const part = element.closest<HTMLElement>('[hidden], [data-folded]')
  if (!part) return
  part.hidden = false
  delete part.dataset.folded
  part.dispatchEvent(new Event(OPENED_EVENT))
}

/** Returns a ref for a hidden or folded part; `setOpen(true)` is called when one of its fields is brought into view. */
export const useOpenedRef = (setOpen: (isOpen: boolean) => void) =>
  useCallback(
    (part: HTMLElement | null) => {
      if (!part) return undefined
      const onOpened = (): void => setOpen(true)
      part.addEventListener(OPENED_EVENT, onOpened)
      return () => part.removeEventListener(OPENED_EVENT, onOpened)
    },
    [setOpen],
  )
