import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { PublishTarget } from './publish-targets.ts'
import type { Step } from './steps.ts'

/** Brings a field to the middle of the screen with the focus in it, here or on another step. */
export const useLead = (
  quizId: string,
  current: Step,
): { focus: (id: string) => void; lead: (target: PublishTarget) => void } => {
  const navigate = useNavigate()
  const state: unknown = useLocation().state
  const [wanted, setWanted] = useState(() => readFieldIds(state))

  // After the effects of the dialogs, which give the focus back to what opened them.
  useEffect(() => focusOnceThere(wanted), [wanted])

  const lead = ({ step, field_ids }: PublishTarget): void => {
    // A new array, so that the same field can be asked for again.
    if (step === current) setWanted([...field_ids])
    else void navigate(`/quiz/${quizId}/${step}`, { state: { field_ids } })
  }
  return { focus: (id) => setWanted([id]), lead }
}

/** What the step that was just left asks for. */
const readFieldIds = (state: unknown): readonly string[] => {
  if (typeof state !== 'object' || state === null || !('field_ids' in state)) return []
  const { field_ids } = state
  return Array.isArray(field_ids) ? field_ids.filter((id) => typeof id === 'string') : []
}

/** What a creator does by themselves ends what was begun for them. */
const OWN_WAYS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
const onceOnTheirWay = (stop: () => void): void => {
  for (const way of OWN_WAYS) addEventListener(way, stop, { once: true, passive: true })
}

/** The parts of a long questionnaire come one after the other: the field may be among those that follow. */
const focusOnceThere = (ids: readonly string[]): (() => void) | undefined => {
  if (ids.length === 0 || focusFirst(ids)) return undefined
  const observer = new MutationObserver(() => {
    if (focusFirst(ids)) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  const stop = () => observer.disconnect()
  onceOnTheirWay(stop)
  return stop
}

/** Gives the focus to the first of these that is there; false when none is. */
const focusFirst = (ids: readonly string[]): boolean => {
  const element = ids.map((id) => document.getElementById(id)).find((found) => found !== null)
  if (!element) return false
  element.scrollIntoView({ block: 'center' })
  element.focus({ preventScroll: true })
  keepInSight()
  return true
}

const SETTLED_MS = 2_000

/** What comes near on the way gets its fields, which moves what is below it. */
const keepInSight = (): void => {
  const observer = new ResizeObserver(() => {
    document.activeElement?.scrollIntoView({ block: 'nearest' })
  })
  observer.observe(document.body)
  const stop = () => observer.disconnect()
  setTimeout(stop, SETTLED_MS)
  onceOnTheirWay(stop)
}
