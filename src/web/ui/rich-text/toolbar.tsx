import { type FocusEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'

const BUTTONS = ':scope > button, :scope > div > button, :scope > ul > li > button'

const buttonsOf = (bar: HTMLElement | null): HTMLElement[] => [
  ...(bar?.querySelectorAll<HTMLElement>(BUTTONS) ?? []),
]

/** Makes one of the buttons the Tab stop of the toolbar. */
const enterAt = (bar: HTMLElement | null, entry: EventTarget | undefined): void => {
  for (const button of buttonsOf(bar)) button.tabIndex = button === entry ? 0 : -1
}

/** Renders buttons in a row or a list after the ARIA pattern: one Tab stop, then the arrows. */
export const Toolbar = ({
  label,
  isVertical = false,
  children,
}: {
  label: string
  isVertical?: boolean
  children: ReactNode
}) => {
  const bar = useRef<HTMLDivElement>(null)
  // Runs after every render, because buttons may have come or gone.
  useLayoutEffect(() => {
    const buttons = buttonsOf(bar.current)
    enterAt(bar.current, buttons.find(({ tabIndex }) => tabIndex === 0) ?? buttons[0])
  })

  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
    if (buttonsOf(currentTarget).includes(target)) enterAt(currentTarget, target)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEPS[isVertical ? 'vertical' : 'horizontal'][event.key]
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
      aria-orientation={isVertical ? 'vertical' : undefined}
      aria-label={label}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      className="flex flex-wrap items-center gap-1"
    >
      {children}
    </div>
  )
}

const STEPS: Record<'horizontal' | 'vertical', Record<string, number>> = {
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
  vertical: { ArrowDown: 1, ArrowUp: -1 },
}
