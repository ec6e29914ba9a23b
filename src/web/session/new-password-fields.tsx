import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { authSettingsQuery } from './auth-settings.ts'
import { type Errors, emailError, PasswordField } from './credentials-form.tsx'

/** Minimum number of characters of a password (product 12.1). */
const MIN_PASSWORD_LENGTH = 6

type NewPassword = { password: string; confirmation: string }

/** Returns the errors of a new password (product 12.1). */
export const passwordErrors = ({ password, confirmation }: NewPassword): Errors => ({
  password:
    password.length < MIN_PASSWORD_LENGTH
      ? 'Le mot de passe doit contenir au moins 6 caractères'
      : undefined,
  confirmation: password === confirmation ? undefined : 'Les mots de passe ne correspondent pas',
})

/** Returns the errors of a sign-up form. */
export const signupErrors = ({ email, ...passwords }: NewPassword & { email: string }): Errors => ({
  email: emailError(email),
  ...passwordErrors(passwords),
})

/** Renders the two fields of a new password. */
export const NewPasswordFields = ({
  labels,
  value,
  errors,
  onChange,
}: {
  labels: NewPassword
  value: NewPassword
  errors: Errors
  onChange: (changes: Partial<NewPassword>) => void
}) => {
  const { data: settings } = useQuery(authSettingsQuery())
  const confirmation_field = useRef<HTMLInputElement>(null)
  return (
    <>
      <PasswordField
        label={labels.password}
        // A blank reserves the place of the rule until it is loaded.
        hint={settings?.password_rule ?? '\u00a0'}
        value={value.password}
        error={errors.password}
        autoComplete="new-password"
        onChange={(password) => onChange({ password })}
        onEnter={() => {
          // Enter goes to the empty second field instead of showing its error.
          const isNext = value.password !== '' && value.confirmation === ''
          if (isNext) confirmation_field.current?.focus()
          return isNext
        }}
      />
      <PasswordField
        ref={confirmation_field}
        label={labels.confirmation}
        value={value.confirmation}
        error={errors.confirmation}
        autoComplete="new-password"
        onChange={(confirmation) => onChange({ confirmation })}
      />
    </>
  )
}
