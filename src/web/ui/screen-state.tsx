import type { ReactNode } from 'react'

/** What a screen says while it waits; only seen when the wait is long enough to be noticed. */
export const Loading = ({ text }: { text: string }) => (
  <div className="flex min-h-60 items-center justify-center p-6">
    <p role="status" className="appear-late text-ink-2">
      {text}
    </p>
  </div>
)

/** A screen, or part of one, that has nothing to show, and what can be done about it. */
export const Message = ({
  title,
  text,
  action,
}: {
  title: string
  text?: string
  action?: ReactNode
}) => (
  <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed border-line px-6 py-12 text-center">
    <h2 className="text-lg font-semibold text-ink">{title}</h2>
    {text && <p className="max-w-prose text-ink-2">{text}</p>}
    {action}
  </div>
)
