import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { showField } from '#web/editor/fields/focus.ts'
import type { Step } from '#web/editor/fields/steps.ts'
import { say } from '#web/ui/feedback/announcer.tsx'
import { TOAST_MS, type Toast } from '#web/ui/feedback/toasts.tsx'
import type { RevertedChange } from './undo-labels.ts'

/** Each has a key of its own, so that the same words twice are said twice. */
type Said = { text: string; key: string }

/**
 * Shows and says what an undo or a redo has changed, on the step where it is seen; the toasts of it.
 */
export const useRevertedChangeToasts = (
  undone: RevertedChange | null,
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

export type UndoToastState = {
  text: string | null
  /** Sets the toast of the change that was just made. */
  announce: (text: string) => void
  close: () => void
}

/** The toast of the last deletion, for some seconds or until `state` changes again. */
export const useUndoToast = (state: unknown): UndoToastState => {
  const wanted = useRef<string | null>(null)
  const [shown, setShown] = useState<{ text: string; state: unknown } | null>(null)

  useEffect(() => {
    const text = wanted.current
    wanted.current = null
    if (text !== null) setShown({ text, state })
    else setShown((known) => (known?.state === state ? known : null))
  }, [state])
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [shown])

  return {
    text: shown?.text ?? null,
    announce: (text) => {
      wanted.current = text
    },
    close: () => setShown(null),
  }
}

/** A toast with a button that undoes the last deletion. */
export const undoToast = ({ text, close }: UndoToastState, undo: () => void): Toast[] =>
  text === null
    ? []
    : [
        {
          key: text,
          text,
          action: 'Annuler',
          act: () => {
            undo()
            close()
          },
        },
      ]
