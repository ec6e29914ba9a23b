import { type ComponentProps, useId } from 'react'

/** Renders a switch with its label next to it. */
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

/** Renders a checkbox with its label next to it. */
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

type Option<V extends string> = { value: V; label: string; hint?: string }

/** Renders a choice among a few values that are all visible. The input of a value has the id `id-value`. */
export const RadioGroup = <V extends string>({
  id: givenId,
  legend,
  value,
  options,
  onChange,
}: {
  id?: string
  /** Name for screen readers; a visible heading next to the group has the same text. */
  legend: string
  value: V
  options: readonly Option<V>[]
  onChange: (value: V) => void
}) => {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <fieldset id={givenId} className="flex flex-col gap-3">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => {
        const own = `${id}-${option.value}`
        return (
          <div key={option.value} className="flex gap-2 text-sm">
            <input
              id={own}
              type="radio"
              name={id}
              checked={value === option.value}
              aria-describedby={option.hint && `${own}-hint`}
              onChange={() => onChange(option.value)}
              className="mt-1 size-4 shrink-0 accent-brand pointer-coarse:mt-3.5"
            />
            <div className="min-w-0">
              <label
                htmlFor={own}
                className="flex min-h-6 items-center font-medium text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
              >
                {option.label}
              </label>
              {option.hint && (
                <p id={`${own}-hint`} className="text-ink-2">
                  {option.hint}
                </p>
              )}
            </div>
          </div>
        )
      })}
    </fieldset>
  )
}
