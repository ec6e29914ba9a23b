import type { ReactNode } from 'react'

type Props = {
  id: string
  label: string
  explanation: string
  /** The key that chooses it. */
  shortcut?: string
  isBusy?: boolean
  /** True if the button has the focus when the dialog opens. */
  isFirst?: boolean
  onChoose: () => void
  /** Content at the end of the card. */
  children?: ReactNode
}

/** Renders one choice as a card that is a button. */
export const ChoiceCard = ({
  id,
  label,
  explanation,
  shortcut,
  isBusy = false,
  isFirst = false,
  onChoose,
  children,
}: Props) => (
  <div className="relative flex items-center gap-4 rounded-xl bg-card p-4 shadow-card outline-offset-2 outline-brand transition-shadow duration-150 hover:shadow-float has-aria-busy:bg-press has-focus-visible:outline-2">
    <div className="flex-1">
      <button
        id={id}
        type="button"
        aria-describedby={`${id}-text`}
        aria-keyshortcuts={shortcut}
        aria-busy={isBusy || undefined}
        data-initial-focus={isFirst || undefined}
        onClick={onChoose}
        className="text-left text-base font-semibold after:absolute after:inset-0 focus-visible:shadow-none focus-visible:outline-none"
      >
        {label}
      </button>
      <p id={`${id}-text`} className="mt-1 text-ink-2">
        {explanation}
      </p>
    </div>
    {children}
  </div>
)
