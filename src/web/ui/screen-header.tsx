import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Renders the title of a screen of one quiz, also in the browser tab, with a back link before it. */
export const ScreenHeader = ({
  title,
  heading = title,
  back,
}: {
  title: string
  /** The shown title, if it is more than a plain text. */
  heading?: ReactNode
  back: { to: string; label: string }
}) => (
  <header className="flex items-start gap-2">
    <title>{title}</title>
    <Link
      to={back.to}
      aria-label={back.label}
      title={back.label}
      className="inline-flex print:hidden size-9 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-press hover:text-ink pointer-coarse:size-11"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
    </Link>
    <h1 tabIndex={-1} className="pt-0.5 text-2xl font-semibold tracking-tight wrap-anywhere">
      {heading}
    </h1>
  </header>
)
