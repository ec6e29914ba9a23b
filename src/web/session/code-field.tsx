import { TextField } from '#web/ui/form/text-field.tsx'
import { formatPhoneNumber } from './phone-number.ts'

/** Renders a field for a one-time code; spaces in it are ignored. */
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

/** Shows the number that received a code, and asks for the code; `phone` is digits with the country code. */
export const SmsCodeField = ({
  phone,
  value,
  error,
  onChange,
}: {
  phone: string
  value: string
  error: string | undefined
  onChange: (code: string) => void
}) => (
  <>
    <p className="text-ink-2">
      Un code vient de partir par SMS vers{' '}
      <strong className="whitespace-nowrap">{formatPhoneNumber(phone.slice(1))}</strong>.
    </p>
    <CodeField label="Code reçu par SMS" value={value} error={error} onChange={onChange} />
  </>
)

/** Text with non-breaking spaces. */
const EXAMPLE = '+32 470 12 34 56'.replaceAll(' ', '\u00a0')

/** Renders a field for a phone number in any common notation. */
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
