import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { FieldTarget } from './publish-targets.ts'
import type { Step } from './steps.ts'

/** Scrolls a field to the middle of the screen and focuses it, on this step or on another. */
export const useFocusField = (
  quizId: string,
  current: Step,
): { focusField: (id: string) => void; goToField: (target: FieldTarget) => void } => {
  const navigate = useNavigate()
  const state: unknown = useLocation().state
  const [wanted, setWanted] = useState(() => readFieldIds(state))

  // After the effects of the dialogs, which return the focus to what opened them.
  useEffect(() => focusOnceRendered(wanted), [wanted])

  const goToField = ({ step, field_ids }: FieldTarget): void => {
    // A new array, so that the same field can be asked for again.
    if (step === current) setWanted([...field_ids])
    else void navigate(`/quiz/${quizId}/${step}`, { state: { field_ids } })
  }
  return { focusField: (id) => setWanted([id]), goToField }
}

/** The fields that the previous step asked for. */
const readFieldIds = (state: unknown): readonly string[] => {
  if (typeof state !== 'object' || state === null || !('field_ids' in state)) return []
  const { field_ids } = state
  return Array.isArray(field_ids) ? field_ids.filter((id) => typeof id === 'string') : []
}

/** Events by which the creator scrolls or moves the focus: they end what the screen does on its own. */
const USER_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
export const onceOnUserEvent = (stop: () => void): void => {
  const listening = new AbortController()
  const onEvent = (): void => {
    listening.abort()
    stop()
  }
  for (const name of USER_EVENTS)
    addEventListener(name, onEvent, { passive: true, signal: listening.signal })
}

/**
 * Focuses the first of these fields that is rendered. It waits for it: a long questionnaire renders its items one batch
 * after another, and some fields are loaded when they are shown. Returns what ends the waiting.
 */
export const focusOnceRendered = (ids: readonly string[]): (() => void) | undefined => {
  if (ids.length === 0 || focusFirst(ids)) return undefined
  const observer = new MutationObserver(() => {
    if (focusFirst(ids)) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  const stop = () => observer.disconnect()
  onceOnUserEvent(stop)
  return stop
}

/** Focuses the first of these fields that is rendered; false when none is. */
export const focusFirst = (ids: readonly string[]): boolean => {
  const element = ids.map((id) => document.getElementById(id)).find((found) => found !== null)
  if (!element) return false
  openAround(element)
  element.scrollIntoView({ block: 'center' })
  element.focus({ preventScroll: true })
  keepInView()
  return true
}

/**
 * Brings the first of these fields that is rendered into view, marked for a moment. The focus stays, unless
 * what had it is gone.
 */
export const showField = (ids: readonly string[]): void => {
  const element = ids.map((id) => document.getElementById(id)).find((found) => found !== null)
  if (!element) return
  // The focus is nowhere when what had it is gone, or is a button that has just been disabled.
  const { activeElement } = document
  if (activeElement === null || activeElement.matches('body, h1, :disabled')) {
    focusFirst(ids)
    return
  }
  openAround(element)
  element.scrollIntoView({ block: 'nearest' })
  element.animate([{ boxShadow: '0 0 0 4px var(--color-brand)' }, { boxShadow: 'none' }], MARKED_MS)
}

/** The event of a hidden part that has just been opened, for the component that hides it. */
export const OPENED_EVENT = 'opened'

/** Opens what is closed around a field. */
const openAround = (element: Element): void => {
  const details = element.closest('details')
  if (details) details.open = true
  const part = element.closest<HTMLElement>('[hidden]')
  if (!part) return
  part.hidden = false
  part.dispatchEvent(new Event(OPENED_EVENT))
}

/** A fading outline, which is no movement. */
const MARKED_MS = 900
/** After a change: what is computed or rendered behind it is there. */
export const LAYOUT_SETTLE_MS = 2_000

/** Scrolls again while questions that come into view render their fields, which moves those below. */
const keepInView = (): void => {
  const observer = new ResizeObserver(() => {
    document.activeElement?.scrollIntoView({ block: 'nearest' })
  })
  observer.observe(document.body)
  const stop = () => observer.disconnect()
  setTimeout(stop, LAYOUT_SETTLE_MS)
  onceOnUserEvent(stop)
}
