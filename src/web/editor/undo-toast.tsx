import { useEffect, useRef, useState } from 'react'
import { TOAST_MS, type Toast } from '#web/ui/toasts.tsx'

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
