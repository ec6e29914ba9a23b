import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { TOAST_MS, type Toast } from '#web/ui/toasts.tsx'
import type { Step } from './steps.ts'
import type { Undone } from './undone.ts'
import { showField } from './use-focus-field.ts'

/**
 * Shows and says what an undo or a redo has changed, on the step where it is seen; the toasts of it.
 */
export const useUndone = (
  undone: Undone | null,
  { quiz_id, step }: { quiz_id: string; step: Step },
): Toast[] => {
  const navigate = useNavigate()
  const state: unknown = useLocation().state
  const [said, setSaid] = useState<{ text: string } | null>(() => readSaid(state))

  useEffect(() => {
    if (!undone) return
    const { text, field_ids } = undone
    if (undone.step !== null && undone.step !== step) {
      void navigate(`/quiz/${quiz_id}/${undone.step}`, { state: { field_ids, said: text } })
      return
    }
    setSaid({ text })
    showField(field_ids)
  }, [undone, quiz_id, step, navigate])
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [said])
  return said ? [{ key: 'undone', text: said.text }] : []
}

/** What the step before has said. */
const readSaid = (state: unknown): { text: string } | null =>
  typeof state === 'object' && state !== null && 'said' in state && typeof state.said === 'string'
    ? { text: state.said }
    : null
