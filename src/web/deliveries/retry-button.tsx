import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'

/** Tries again what was refused; where nothing is left to try, it goes and the focus comes to what it stood in. */
export const RetryButton = ({
  within,
  ...rest
}: {
  /** The id of the part of the screen around it, which can have the focus. */
  within: string
} & ComponentProps<typeof Button>) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.getElementById(within))
  return (
    <div ref={ref}>
      <Button {...rest} />
    </div>
  )
}
