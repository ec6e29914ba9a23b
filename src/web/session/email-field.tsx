import { LIMITS } from '#domain/vocabulary.ts'
import { TextField } from '#web/ui/text-field.tsx'

/** The address of an account, on login and sign-up. */
export const EmailField = ({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) => (
  <TextField
    ref={focusAtFirst}
    label="Email"
    type="email"
    value={value}
    error={error}
    required
    maxLength={LIMITS.email}
    autoComplete="email"
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

/**
 * Gives the empty field the focus as the screen opens. Not where the pointer is a finger: the keyboard on screen
 * would hide what the field is for.
 */
const focusAtFirst = (field: HTMLInputElement | null): void => {
  if (field?.value === '' && matchMedia('(pointer: fine)').matches) field.focus()
}

/** Why an email address is invalid; undefined when it is valid. */
export const emailError = (email: string): string | undefined => {
  if (email.trim() === '') return 'L’adresse email est obligatoire'
  const isPlausible = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())
  return isPlausible ? undefined : 'Adresse attendue de la forme nom@exemple.fr'
}
