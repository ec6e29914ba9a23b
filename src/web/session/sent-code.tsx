import { CodeField } from './code-field.tsx'
import { showNumber } from './phone-number.ts'

/** Shows the number that a code was sent to, and asks for the code; `phone` is digits with the country code. */
export const SentCode = ({
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
      <strong className="whitespace-nowrap">{showNumber(phone.slice(1))}</strong>.
    </p>
    <CodeField label="Code reçu par SMS" value={value} error={error} onChange={onChange} />
  </>
)
