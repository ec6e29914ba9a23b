import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { authSettingsQuery } from './auth-settings.ts'
import type { Errors } from './credentials-form.tsx'
import { PasswordField } from './password-field.tsx'

type Chosen = { password: string; confirmation: string }

/** A new password, typed twice. */
export const NewPasswordFields = ({
  labels,
  value,
  errors,
  onChange,
}: {
  labels: Chosen
  value: Chosen
  errors: Errors
  onChange: (changes: Partial<Chosen>) => void
}) => {
  const { data: settings } = useQuery(authSettingsQuery())
  const confirmation_field = useRef<HTMLInputElement>(null)
  return (
    <>
      <PasswordField
        label={labels.password}
        // A blank keeps the place of the rule until it is known.
        hint={settings?.password_rule ?? '\u00a0'}
        value={value.password}
        error={errors.password}
        autoComplete="new-password"
        onChange={(password) => onChange({ password })}
        onEnter={() => {
          // Enter goes on to what is still to be typed, rather than to its refusal.
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
