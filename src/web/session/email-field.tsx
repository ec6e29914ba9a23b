import { useRef } from 'react'
import { LIMITS } from '#domain/vocabulary.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useFirstFocus } from '#web/ui/use-first-focus.ts'

/** The address of an account, on login and sign-up. */
export const EmailField = ({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) => {
  const field = useRef<HTMLInputElement>(null)
  useFirstFocus(field, { isWanted: value === '' })
  return (
    <TextField
      ref={field}
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
}

/** Why an email address is invalid; undefined when it is valid. */
export const emailError = (email: string): string | undefined => {
  if (email.trim() === '') return 'L’adresse email est obligatoire'
  const isPlausible = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())
  return isPlausible ? undefined : 'Adresse attendue de la forme nom@exemple.fr'
}
