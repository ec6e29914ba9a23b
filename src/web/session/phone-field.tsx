import { TextField } from '#web/ui/text-field.tsx'

/** A telephone number, as people write it. */
export const PhoneField = ({
  label,
  value,
  error,
  onChange,
}: {
  label: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) => (
  <TextField
    label={label}
    type="tel"
    value={value}
    error={error}
    hint="Hors de France, avec l’indicatif du pays : +32 470 12 34 56"
    required
    maxLength={30}
    autoComplete="tel"
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
