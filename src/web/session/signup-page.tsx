import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { TextLink } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { authMessage } from './auth-labels.ts'
import { authSettingsQuery } from './auth-settings.ts'
import { CredentialsForm, EmailField, type Errors, focusFirstError } from './credentials-form.tsx'
import { Notice } from './email-link.tsx'
import { loginLink } from './email-request.tsx'
import type { TypedEmail } from './login-page.tsx'
import { NewPasswordFields, signupErrors } from './new-password-fields.tsx'
import { ProductPanel } from './product-panel.tsx'
import { readReturnPath } from './return-path.ts'
import { useSession } from './session.tsx'

/** Sentences of an installation where people do not create accounts by themselves. */
const CLOSED_TEXTS = {
  invitation:
    'Les inscriptions se font sur invitation : demandez-en une à la personne qui tient ce site.',
  closed: 'Les inscriptions sont fermées.',
}

const SignupPage = () => {
  const { user, signUp } = useSession()
  const { alert } = useDialogs()
  const navigate = useNavigate()
  const kept = useLocation().state as TypedEmail
  const [typed, setTyped] = useState({ email: kept?.email ?? '', password: '', confirmation: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const { data: settings } = useQuery(authSettingsQuery())
  // Signing up may open a session for a moment, which must not redirect.
  if (user && !isBusy) return <Navigate to={readReturnPath(user)} replace />
  if (settings?.hasPasswords === false) return <Navigate to="/login" replace />

  if (settings && settings.sign_up_mode !== 'open')
    return (
      <Notice title="Inscription" entry={loginLink}>
        <p>{CLOSED_TEXTS[settings.sign_up_mode]}</p>
      </Notice>
    )

  const change = (changes: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...changes })
    setErrors({})
  }
  const submit = async (): Promise<void> => {
    const found = signupErrors(typed)
    setErrors(found)
    if (Object.values(found).some(Boolean)) return focusFirstError()
    setBusy(true)
    try {
      const email = typed.email.trim()
      const awaits_confirmation = await signUp({ email, password: typed.password })
      await alert(
        awaits_confirmation
          ? 'Compte créé ! Vérifiez votre email pour confirmer votre compte.'
          : 'Compte créé ! Vous pouvez maintenant vous connecter.',
      )
      navigate('/login', { state: { email, awaits_confirmation } satisfies TypedEmail })
    } catch (error) {
      setErrors({ form: authMessage(error as Error, "Erreur lors de l'inscription") })
    } finally {
      setBusy(false)
    }
  }

  return (
    <CredentialsForm
      title="Inscription"
      action="Créer un compte"
      busy_action="Création..."
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      beside={<ProductPanel />}
      other={
        <>
          Déjà un compte ?{' '}
          <TextLink to="/login" state={{ email: typed.email }}>
            Se connecter
          </TextLink>
        </>
      }
    >
      <EmailField
        value={typed.email}
        error={errors.email}
        onChange={(email) => change({ email })}
      />
      <NewPasswordFields
        labels={{ password: 'Mot de passe', confirmation: 'Confirmer le mot de passe' }}
        value={typed}
        errors={errors}
        onChange={change}
      />
    </CredentialsForm>
  )
}

export default SignupPage
