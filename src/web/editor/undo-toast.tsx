import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'

/** How long a deletion can be taken back with one click. */
const SHOWN_MS = 6_000

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
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
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
export const UndoToast = ({
  toast: { text, close },
  onUndo,
}: {
  toast: UndoToastState
  onUndo: () => void
}) => (
  <div
    role="status"
    className="pointer-events-none fixed inset-x-4 bottom-4 z-40 flex justify-center pr-16 sm:pl-60"
  >
    {text && (
      <div className="pointer-events-auto flex items-center gap-3 rounded-xl bg-ink py-2 pr-2 pl-4 text-paper shadow-float">
        <span>{text}</span>
        <Button
          onClick={() => {
            onUndo()
            close()
          }}
        >
          Annuler
        </Button>
      </div>
    )}
  </div>
)
