import { type FocusEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'

const buttonsOf = (bar: HTMLElement | null): HTMLElement[] => [
  ...(bar?.querySelectorAll<HTMLElement>(':scope > button, :scope > div > button') ?? []),
]

/** Makes one of the buttons the place where Tab enters. */
const enterAt = (bar: HTMLElement | null, entry: EventTarget | undefined): void => {
  for (const button of buttonsOf(bar)) button.tabIndex = button === entry ? 0 : -1
}

/** Buttons in a row after the ARIA pattern: one stop of Tab, then the arrows. */
export const Toolbar = ({ label, children }: { label: string; children: ReactNode }) => {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => enterAt(bar.current, buttonsOf(bar.current)[0]), [])

  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
    if (buttonsOf(currentTarget).includes(target)) enterAt(currentTarget, target)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEPS[event.key]
    const buttons = buttonsOf(event.currentTarget)
    const index = buttons.indexOf(event.target as HTMLElement)
    if (step === undefined || index < 0) return
    event.preventDefault()
    buttons.at((index + step) % buttons.length)?.focus()
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      className="flex flex-wrap items-center gap-1"
    >
      {children}
    </div>
  )
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }
