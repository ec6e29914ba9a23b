import { useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** How long a toast is shown, which is the time to undo a deletion. */
export const TOAST_MS = 6_000

/** A message, with an action or without. */
export type Toast = { key: string; text: string; action?: string; act?: () => void }

/** The current toasts, the last one lowest. */
export const Toasts = ({ toasts }: { toasts: readonly Toast[] }) => (
  <div
    role="status"
    className="pointer-events-none fixed inset-x-4 bottom-4 z-40 flex flex-col items-center gap-2 pr-16 sm:pl-60"
  >
    {toasts.map(({ key, ...toast }) => (
      <OneToast key={key} {...toast} />
    ))}
  </div>
)

const OneToast = ({ text, action, act }: Omit<Toast, 'key'>) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const left = button.current
    return () => {
      // A toast also disappears on its own: the focus must not be lost with it.
      if (left && left === document.activeElement)
        document.querySelector('h1')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div className="pointer-events-auto flex max-w-full items-center gap-3 rounded-xl border border-transparent bg-ink py-2 pr-2 pl-4 text-paper shadow-float not-has-[button]:min-h-13 not-has-[button]:pr-4">
      <span id={id} className="min-w-0 wrap-anywhere">
        {text}
      </span>
      {action && (
        <Button ref={button} aria-describedby={id} onClick={act}>
          {action}
        </Button>
      )}
    </div>
  )
}
