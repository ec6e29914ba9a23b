import type { ReactNode } from 'react'

/** The loading text of a screen, shown after a short delay. */
export const Loading = ({ text }: { text: string }) => (
  <div className="flex min-h-60 items-center justify-center p-6">
    <p role="status" className="appear-late text-ink-2">
      {text}
    </p>
  </div>
)

/** A screen, or part of one, without content, with an action. */
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
