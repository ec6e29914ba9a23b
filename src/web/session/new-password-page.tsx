import { useState } from 'react'
import { useNavigate } from 'react-router'
import { auth } from '#web/api/auth-client.ts'
import { TextLink } from '#web/ui/button.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { authMessage } from './auth-labels.ts'
import { CredentialsForm, type Errors, focusFirstError } from './credentials-form.tsx'
import { AccountSwitchQuestion, Notice, useEmailLink } from './email-link.tsx'
import { loginLink } from './email-request.tsx'
import { NewPasswordFields, passwordErrors } from './new-password-fields.tsx'
import { SecondFactor } from './second-factor.tsx'
import { useSession } from './session.tsx'

/** Renders the target of the password link, which signs in, and asks for a new password. */
const NewPasswordPage = () => {
  const link = useEmailLink()
  const navigate = useNavigate()
  const { isFactorMissing } = useSession()
  const [typed, setTyped] = useState({ password: '', confirmation: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)

  if (link === 'opening') return <Loading text="Chargement..." />
  if (typeof link === 'object') return <AccountSwitchQuestion {...link} />
  if (link !== 'open')
    return (
      <Notice title="Ce lien n’est plus valable" entry={loginLink}>
        <p>Un lien ne sert qu’une fois, pendant une heure.</p>
        <p>
          <TextLink to="/forgot-password">Recevoir un nouveau lien</TextLink>
        </p>
      </Notice>
    )

  if (isFactorMissing) return <SecondFactor title="Nouveau mot de passe" />

  const change = (changes: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...changes })
    setErrors({})
  }
  const submit = async (): Promise<void> => {
    const found = passwordErrors(typed)
    setErrors(found)
    if (Object.values(found).some(Boolean)) return focusFirstError()
    setBusy(true)
    const { error } = await auth.updateUser({ password: typed.password })
    setBusy(false)
    if (error) setErrors({ form: authMessage(error, 'Le mot de passe n’a pas pu être changé') })
    else navigate('/dashboard')
  }
  return (
    <CredentialsForm
      title="Nouveau mot de passe"
      action="Changer le mot de passe"
      busy_action="Enregistrement..."
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      other={loginLink}
    >
      <NewPasswordFields
        labels={{ password: 'Nouveau mot de passe', confirmation: 'Confirmer le mot de passe' }}
        value={typed}
        errors={errors}
        onChange={change}
      />
    </CredentialsForm>
  )
}

export default NewPasswordPage
