import type { ComponentProps } from 'react'

/** A checkbox with its label beside it. */
export const Checkbox = ({
  label,
  className = '',
  ...rest
}: { label: string } & Omit<ComponentProps<'input'>, 'type'>) => (
  <label
    className={`inline-flex min-h-8 items-center gap-2 text-sm text-ink pointer-coarse:min-h-11 ${className}`}
  >
    <input {...rest} type="checkbox" className="size-4 shrink-0 accent-brand" />
    <span className="min-w-0 break-words" dir="auto">
      {label}
    </span>
  </label>
)
