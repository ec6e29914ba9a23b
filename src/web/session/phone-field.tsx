import { TextField } from '#web/ui/text-field.tsx'

/** Of one piece, whatever the width. */
const EXAMPLE = '+32 470 12 34 56'.replaceAll(' ', '\u00a0')

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
    hint={`Hors de France, avec l’indicatif du pays : ${EXAMPLE}`}
    required
    maxLength={30}
    autoComplete="tel"
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
