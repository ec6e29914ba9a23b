import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** An underlined link to another screen; on a touch screen as high as a button. */
export const TextLink = (props: Omit<ComponentProps<typeof Link>, 'className'>) => (
  <Link
    {...props}
    className="text-brand underline underline-offset-2 pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
  />
)
