import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'

/** Milliseconds for which a toast is shown and a deletion can be undone. */
export const TOAST_MS = 6_000

/** A message, with an action where there is one. */
export type Toast = {
  key: string
  text: string
  action?: string
  act?: () => void
  /** A toast with a picture is a card, which can be closed. */
  detail?: string
  picture?: ReactNode
  close?: () => void
}

/** The current toasts, the last one lowest. */
export const Toasts = ({ toasts }: { toasts: readonly Toast[] }) => (
  <div
    role="status"
    className="pointer-events-none fixed inset-x-4 bottom-20 z-40 flex flex-col items-center gap-2 lg:bottom-4 sm:pr-16 sm:pl-60"
  >
    {toasts.map(({ key, ...toast }) => (
      <OneToast key={key} {...toast} />
    ))}
  </div>
)

const OneToast = ({ text, action, act, detail, picture, close }: Omit<Toast, 'key'>) => {
  const id = useId()
  const toast = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const left = toast.current
    return () => {
      // A toast also disappears after a time, so that the focus must move to another element.
      if (left?.contains(document.activeElement))
        document.querySelector('h1')?.focus({ preventScroll: true })
    }
  }, [])
  const button = action && (
    <Button aria-describedby={id} onClick={act}>
      {action}
    </Button>
  )
  if (picture)
    return (
      <div
        ref={toast}
        className="toast-card pointer-events-auto flex w-full max-w-80 flex-col gap-3 rounded-xl bg-card p-4 text-ink shadow-float"
      >
        <div className="flex items-start gap-2">
          <div id={id} className="min-w-0 flex-1">
            <p className="font-semibold">{text}</p>
            <p className="mt-0.5 text-ink-2">{detail}</p>
          </div>
          <IconButton label="Fermer" icon={<X aria-hidden="true" />} onClick={close} />
        </div>
        {picture}
        {button}
      </div>
    )
  return (
    <div
      ref={toast}
      className="pointer-events-auto flex max-w-full items-center gap-3 rounded-xl border border-transparent bg-ink py-2 pr-2 pl-4 text-paper shadow-float"
    >
      <span id={id} className="min-w-0 py-1.5 pr-2 wrap-anywhere">
        {text}
      </span>
      {button}
    </div>
  )
}
