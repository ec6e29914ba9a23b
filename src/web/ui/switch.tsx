import type { ComponentProps } from 'react'

/** A switch with its label beside it. */
export const Switch = ({
  label,
  ...rest
}: { label: string } & Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'>) => (
  <label className="inline-flex min-h-8 items-center gap-3 text-sm text-ink pointer-coarse:min-h-11">
    <input
      {...rest}
      type="checkbox"
      role="switch"
      aria-checked={rest.checked}
      className="relative h-6 w-10 shrink-0 appearance-none rounded-full border border-field bg-paper transition-colors before:absolute before:top-1/2 before:left-0.75 before:size-4 before:-translate-y-1/2 before:rounded-full before:border before:border-field before:bg-field before:transition-transform checked:border-brand checked:bg-brand checked:before:translate-x-4 checked:before:border-on-brand checked:before:bg-on-brand disabled:cursor-not-allowed disabled:opacity-50"
    />
    <span className="min-w-0 break-words" dir="auto">
      {label}
    </span>
  </label>
)
