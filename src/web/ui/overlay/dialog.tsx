import { X } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { IconButton } from '#web/ui/button.tsx'

type Props = {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** An alertdialog must be answered: it has no close button, and a click on the backdrop does nothing. */
  role?: 'dialog' | 'alertdialog'
  /** Dialog that may open while the creator types: Escape does not close it, and no button has the focus at first. */
  isRequired?: boolean
  /** True for a dialog that is wide enough for two columns. */
  isWide?: boolean
  /** True for a dialog at the right edge with the height of the screen. On a phone it fills the screen. */
  isDrawer?: boolean
  onKeyDown?: (event: KeyboardEvent) => void
}

/** Classes of a centred dialog, which is at the bottom edge of a phone. */
const CENTRED =
  'm-auto w-[calc(100%-2rem)] rounded-xl max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none'
const DRAWER = 'm-0 ml-auto h-dvh max-h-none w-full max-w-none sm:max-w-xl'

/**
 * A modal dialog on the HTML element: it traps the focus, Escape closes it and returns the focus. What it was opened
 * for, marked with `data-initial-focus`, gets the focus first.
 */
export const Dialog = ({
  title,
  open,
  onClose,
  children,
  footer,
  role = 'dialog',
  isRequired = false,
  isWide = false,
  isDrawer = false,
  onKeyDown,
}: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (open) element.showModal()
    else element.close()
    if (!open) return
    if (isRequired) text.current?.focus()
    else element.querySelector<HTMLElement>('[data-initial-focus]')?.focus()
  }, [open, isRequired])
  // Closed on unmount, so that the focus is returned then too.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [])
  const isAlert = role === 'alertdialog'

  return (
    // The target of a click on the backdrop is the dialog itself; the keyboard has Escape.
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={isAlert ? `${id}-text` : undefined}
      onCancel={(event) => {
        if (isRequired) event.preventDefault()
      }}
      onClose={(event) => {
        // In React, this event bubbles to an outer dialog.
        event.stopPropagation()
        // Browsers close it nevertheless when Escape is pressed twice.
        if (isRequired && open) dialog.current?.showModal()
        else onClose()
      }}
      onClick={(event) => {
        if (!isAlert && event.target === dialog.current) onClose()
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        onKeyDown?.(event)
      }}
      className={`${isDrawer ? DRAWER : `${isWide ? 'max-w-5xl' : 'max-w-lg'} ${CENTRED}`} bg-paper p-0 text-ink shadow-float backdrop:bg-black/40`}
    >
      {open && (
        <div className={`flex flex-col ${isDrawer ? 'h-full' : 'max-h-[85dvh]'}`}>
          <div className="flex items-center gap-3 px-5 pt-4">
            <h2 id={`${id}-title`} className="flex-1 text-lg font-semibold" dir="auto">
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
            className={`overflow-y-auto px-5 py-4 focus:outline-none ${isDrawer ? 'flex-1' : ''}`}
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
