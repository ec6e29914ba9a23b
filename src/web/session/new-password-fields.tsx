import { useQuery } from '@tanstack/react-query'
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
      />
      <PasswordField
        label={labels.confirmation}
        value={value.confirmation}
        error={errors.confirmation}
        autoComplete="new-password"
        onChange={(confirmation) => onChange({ confirmation })}
      />
    </>
  )
}
