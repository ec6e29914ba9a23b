import { useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** How long a deletion can be taken back with one click. */
export const UNDO_MS = 6_000

/** One deletion that can still be taken back. */
export type UndoOffer = { key: string; text: string; undo: () => void }

/** Offers to take back what was just deleted, the last one lowest. */
export const UndoToast = ({ offers }: { offers: readonly UndoOffer[] }) => (
  <div
    role="status"
    className="pointer-events-none fixed inset-x-4 bottom-4 z-40 flex flex-col items-center gap-2 pr-16 sm:pl-60"
  >
    {offers.map(({ key, ...offer }) => (
      <Offer key={key} {...offer} />
    ))}
  </div>
)

const Offer = ({ text, undo }: Omit<UndoOffer, 'key'>) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const left = button.current
    return () => {
      // It leaves by itself too, and the focus is not to get lost with it.
      if (left === document.activeElement)
        document.querySelector('h1')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div className="pointer-events-auto flex max-w-full items-center gap-3 rounded-xl border border-transparent bg-ink py-2 pr-2 pl-4 text-paper shadow-float">
      <span id={id} className="min-w-0 wrap-anywhere">
        {text}
      </span>
      <Button ref={button} aria-describedby={id} onClick={undo}>
        Annuler
      </Button>
    </div>
  )
}
