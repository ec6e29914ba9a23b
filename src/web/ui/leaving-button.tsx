import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { useFocusFallback } from './use-focus-fallback.ts'

/** A button that goes once what it does is done; where it had the focus, another element gets it then. */
export const LeavingButton = ({
  next_id,
  ...rest
}: {
  /** The id of that element, which can have the focus. */
  next_id: string
} & ComponentProps<typeof Button>) => {
  const ref = useFocusFallback<HTMLButtonElement>(() => document.getElementById(next_id))
  return <Button {...rest} ref={ref} />
}
