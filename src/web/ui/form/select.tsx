import { CONTROL, Field, type FieldTexts } from './text-field.tsx'

type Option<V extends string> = { value: V; label: string }

/** Labelled select of single options and of options in groups. */
export const Select = <V extends string>({
  value,
  options = [],
  groups = [],
  disabled,
  onChange,
  ...texts
}: FieldTexts & {
  id?: string
  value: V
  options?: Option<V>[]
  groups?: { label: string; options: Option<V>[] }[]
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
          const all = [...options, ...groups.flatMap((group) => group.options)]
          const chosen = all.find((option) => option.value === event.currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
        className={`${CONTROL} h-10`}
      >
        {options.map(optionOf)}
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.options.map(optionOf)}
          </optgroup>
        ))}
      </select>
    )}
  </Field>
)

const optionOf = ({ value, label }: Option<string>) => (
  <option key={value} value={value} dir="auto">
    {label}
  </option>
)
