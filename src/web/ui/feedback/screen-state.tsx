import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'

/**
 * Renders the reason of a failed loading and a retry button. The button disappears after a press, so the title of the
 * screen gets the focus.
 */
export const LoadFailure = ({
  text,
  query: { isFetching, refetch },
}: {
  text: string
  query: { isFetching: boolean; refetch: () => unknown }
}) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.querySelector('h1'))
  return (
    <div ref={ref} role="alert" className="flex flex-wrap items-center gap-3">
      <p className="text-bad">{text}</p>
      <Button busy={isFetching} onClick={() => void refetch()}>
        Réessayer
      </Button>
    </div>
  )
}

/** Renders the loading text of a screen, after a short delay. */
export const Loading = ({ text }: { text: string }) => (
  <div className="flex min-h-60 items-center justify-center p-6">
    <p role="status" className="appear-late text-ink-2">
      {text}
    </p>
  </div>
)

/** Renders a screen, or part of one, that has no content but an action. */
export const Message = ({
  title,
  text,
  action,
}: {
  title: string
  text?: string | undefined
  action?: ReactNode
}) => (
  <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed border-line px-6 py-12 text-center">
    <h2 className="text-lg font-semibold text-ink">{title}</h2>
    {text && <p className="max-w-prose text-ink-2">{text}</p>}
    {action}
  </div>
)
