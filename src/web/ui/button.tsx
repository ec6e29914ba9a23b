import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { useFocusFallback } from './use-focus-fallback.ts'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger'
type Size = 'compact' | 'small' | 'large'

const VARIANTS: Record<Variant, string> = {
  primary:
    'border-transparent bg-brand text-on-brand enabled:hover:bg-brand-strong disabled:bg-press',
  secondary: 'border-field bg-paper text-ink hover:bg-press disabled:bg-press',
  ghost: 'border-transparent text-ink-2 not-disabled:hover:bg-press not-disabled:hover:text-ink',
  danger: 'border-transparent bg-bad text-paper enabled:hover:shadow-float disabled:bg-press',
}
const SIZES: Record<Size, string> = {
  // Size of buttons with an icon, with or without a short text.
  compact: 'min-h-9 px-2 text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11',
  small: 'min-h-9 px-3 text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11',
  large: 'min-h-11 px-4 text-base pointer-coarse:min-w-11',
}

type Looks = { variant?: Variant; size?: Size /** Round ends. */; pill?: boolean }

const looks = (
  { variant = 'secondary', size = 'small', pill = false }: Looks,
  className = '',
): string =>
  [
    // The transparent border becomes visible with forced colours.
    'inline-flex items-center justify-center gap-2 border font-medium sm:whitespace-nowrap',
    'transition-colors disabled:cursor-not-allowed disabled:text-ink-3',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    pill ? 'rounded-full' : 'rounded-md',
    VARIANTS[variant],
    SIZES[size],
    className,
  ].join(' ')

type Common = Looks & { icon?: ReactNode }

/** Renders a button. While `busy` it keeps its size and ignores clicks. */
export const Button = ({
  variant,
  size,
  pill,
  icon,
  busy = false,
  className,
  children,
  type = 'button',
  ...rest
}: Common & { busy?: boolean } & ComponentProps<'button'>) => (
  <button
    {...rest}
    type={type}
    aria-busy={busy || undefined}
    className={looks({ variant, size, pill }, className)}
    onClick={busy ? (event) => event.preventDefault() : rest.onClick}
  >
    {icon}
    {children}
  </button>
)

/** Renders a link to another screen that looks like a button. */
export const ButtonLink = ({
  variant,
  size,
  pill,
  icon,
  className,
  children,
  ...rest
}: Common & ComponentProps<typeof Link>) => (
  <Link {...rest} className={looks({ variant, size, pill }, className)}>
    {icon}
    {children}
  </Link>
)

/** Renders a button with an icon only; the label is its accessible name and its tooltip. */
export const IconButton = ({
  label,
  icon,
  className = '',
  ...rest
}: { label: string; icon: ReactNode } & Omit<ComponentProps<'button'>, 'children'>) => (
  <button
    type="button"
    {...rest}
    aria-label={label}
    title={label}
    className={`inline-flex size-9 shrink-0 items-center justify-center rounded-md border border-transparent text-ink-2 transition-colors hover:bg-press hover:text-ink disabled:cursor-not-allowed disabled:text-ink-3 pointer-coarse:min-h-11 pointer-coarse:min-w-11 [&_svg]:size-4 ${className}`}
  >
    {icon}
  </button>
)

/** Renders a button that disappears after its action. If it had the focus, the element `next_id` gets it. */
export const DisappearingButton = ({
  next_id,
  ...rest
}: {
  /** Id of a focusable element. */
  next_id: string
} & ComponentProps<typeof Button>) => {
  const ref = useFocusFallback<HTMLButtonElement>(() => document.getElementById(next_id))
  return <Button {...rest} ref={ref} />
}

/** Renders an underlined link to another screen; on a touch screen it is as high as a button. */
export const TextLink = (props: Omit<ComponentProps<typeof Link>, 'className'>) => (
  <Link
    {...props}
    className="text-brand underline underline-offset-2 pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
  />
)
