import { TextField } from '#web/ui/text-field.tsx'

/** With non-breaking spaces. */
const EXAMPLE = '+32 470 12 34 56'.replaceAll(' ', '\u00a0')

/** A field for a phone number in any common notation. */
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
    hint={`Hors de France, avec l’indicatif du pays : ${EXAMPLE}`}
    required
    maxLength={30}
    autoComplete="tel"
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
