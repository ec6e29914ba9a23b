import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'

type Props = {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** alertdialog: it must be answered, so it has no cross and a click beside it does nothing. */
  role?: 'dialog' | 'alertdialog'
  /** It may come while somebody types: Escape does not close it, and no key at hand answers it. */
  isRequired?: boolean
}

/** A modal window on the platform's own dialog: focus stays in it, Escape closes it and returns the focus. */
export const Dialog = ({
  title,
  open,
  onClose,
  children,
  footer,
  role = 'dialog',
  isRequired = false,
}: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (open) element.showModal()
    else element.close()
    if (open && isRequired) text.current?.focus()
  }, [open, isRequired])
  // One that is taken away while it is open gives the focus back too.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [])
  const isAlert = role === 'alertdialog'

  return (
    // A click on the backdrop is a click on the dialog itself; Escape is the same by keyboard.
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={isAlert ? `${id}-text` : undefined}
      onCancel={(event) => {
        if (isRequired) event.preventDefault()
      }}
      onClose={() => {
        // A browser may close it all the same when Escape is pressed twice.
        if (isRequired && open) dialog.current?.showModal()
        else onClose()
      }}
      onClick={(event) => {
        if (!isAlert && event.target === dialog.current) onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      className="m-auto w-[calc(100%-2rem)] max-w-lg rounded-xl bg-paper p-0 text-ink shadow-float backdrop:bg-black/40 max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none"
    >
      {open && (
        <div className="flex max-h-[85dvh] flex-col">
          <div className="flex items-center gap-3 px-5 pt-4">
            <h2 id={`${id}-title`} className="flex-1 text-lg font-semibold">
              {title}
            </h2>
            {!isAlert && (
              <IconButton label="Fermer" icon={<X aria-hidden="true" />} onClick={onClose} />
            )}
          </div>
          <div
            ref={text}
            id={`${id}-text`}
            tabIndex={isRequired ? -1 : undefined}
            className="overflow-y-auto px-5 py-4 focus:outline-none"
          >
            {children}
          </div>
          {footer && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </div>
          )}
        </div>
      )}
    </dialog>
  )
}
