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
  useEffect(() => {
    focusFirst(wanted)
  }, [wanted])

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

const focusFirst = (ids: readonly string[]): void => {
  for (const id of ids) {
    const element = document.getElementById(id)
    if (!element) continue
    element.scrollIntoView({ block: 'center' })
    element.focus({ preventScroll: true })
    return
  }
}
