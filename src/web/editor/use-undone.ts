import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { say } from '#web/ui/announcer.tsx'
import { TOAST_MS, type Toast } from '#web/ui/toasts.tsx'
import type { Step } from './steps.ts'
import type { Undone } from './undone.ts'
import { showField } from './use-focus-field.ts'

/** Each has a key of its own, so that the same words twice are said twice. */
type Said = { text: string; key: string }

/**
 * Shows and says what an undo or a redo has changed, on the step where it is seen; the toasts of it.
 */
export const useUndone = (
  undone: Undone | null,
  { quiz_id, step }: { quiz_id: string; step: Step },
): Toast[] => {
  const navigate = useNavigate()
  const state: unknown = useLocation().state
  const [said, setSaid] = useState<Said | null>(() => readSaid(state))
  const { pathname } = useLocation()
  // A toast that is there as the screen opens is not read out. Going back or reloading does not say it again.
  useEffect(() => {
    const before = readSaid(state)
    if (!before) return
    say(before.text)
    void navigate(pathname, { replace: true, state: null })
  }, [state, pathname, navigate])

  useEffect(() => {
    if (!undone) return
    const { text, field_ids } = undone
    if (undone.step !== null && undone.step !== step) {
      void navigate(`/quiz/${quiz_id}/${undone.step}`, { state: { field_ids, said: text } })
      return
    }
    setSaid({ text, key: `undone ${performance.now()}` })
    showField(field_ids)
  }, [undone, quiz_id, step, navigate])
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [said])
  return said ? [said] : []
}

/** What the step before has said. */
const readSaid = (state: unknown): Said | null =>
  typeof state === 'object' && state !== null && 'said' in state && typeof state.said === 'string'
    ? { text: state.said, key: 'undone' }
    : null
