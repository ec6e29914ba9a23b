import { useEffect, useRef, useState } from 'react'
import { TOAST_MS, type Toast } from '#web/ui/toasts.tsx'

export type UndoToastState = {
  text: string | null
  /** Says what the change just asked for has deleted, once it is done. */
  announce: (text: string) => void
  close: () => void
}

/** What was deleted last, for a while, or until something else changes in `state`. */
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

/** Offers to take the last deletion back. */
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
