import { TextField } from '#web/ui/text-field.tsx'

/** A field for a one-time code; spaces in it are ignored. */
export const CodeField = ({
  label,
  value,
  error,
  isNumeric = true,
  onChange,
}: {
  label: string
  value: string
  error?: string | undefined
  isNumeric?: boolean
  onChange: (value: string) => void
}) => (
  <TextField
    label={label}
    {...(error && { error })}
    value={value}
    maxLength={40}
    inputMode={isNumeric ? 'numeric' : 'text'}
    autoComplete={isNumeric ? 'one-time-code' : 'off'}
    autoCapitalize="none"
    spellCheck={false}
    onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\s/g, ''))}
  />
)
