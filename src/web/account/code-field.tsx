import { TextField } from '#web/ui/text-field.tsx'

/** The six digits of a mail, of a text message or of an application; spaces in them do not matter. */
export const CodeField = ({
  label,
  value,
  error,
  hint,
  onChange,
}: {
  label: string
  value: string
  error?: string | undefined
  hint?: string | undefined
  onChange: (value: string) => void
}) => (
  <TextField
    label={label}
    {...(hint && { hint })}
    {...(error && { error })}
    value={value}
    inputMode="numeric"
    autoComplete="one-time-code"
    onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\s/g, ''))}
  />
)
