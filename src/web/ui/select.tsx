import { CONTROL, Field, type FieldTexts } from './field.tsx'

/** A labelled choice among a few values. */
export const Select = <V extends string>({
  value,
  options,
  disabled,
  onChange,
  ...texts
}: FieldTexts & {
  id?: string
  value: V
  options: { value: V; label: string }[]
  disabled?: boolean
  onChange: (value: V) => void
}) => (
  <Field {...texts}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
        className={`${CONTROL} h-10`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
)
