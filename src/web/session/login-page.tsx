import type { Provider } from '@supabase/auth-js'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { auth } from '#web/api/auth-client.ts'
import { Button, TextLink } from '#web/ui/button.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { authMessage, isRefusal } from './auth-labels.ts'
import { authSettingsQuery, formatProviderName } from './auth-settings.ts'
import { ConfirmationNote } from './confirmation-note.tsx'
import {
  CredentialsForm,
  EmailField,
  type Errors,
  emailError,
  focusFirstError,
  PasswordField,
} from './credentials-form.tsx'
import { AccountSwitchQuestion, useEmailLink } from './email-link.tsx'
import { ProductPanel } from './product-panel.tsx'
import { readReturnPath } from './return-path.ts'
import { useSession } from './session.tsx'

/** Typed address, passed between login and sign-up. */
export type TypedEmail = {
  email?: string
  /** True for a new account whose confirmation link was sent. */
  awaits_confirmation?: boolean
} | null

const LoginPage = () => {
  const { user, lostOwner, signIn } = useSession()
  const { data: settings } = useQuery(authSettingsQuery())
  const hasPasswords = settings?.hasPasswords ?? true
  const typed = useLocation().state as TypedEmail
  const [email, setEmail] = useState(typed?.email ?? lostOwner?.email ?? '')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  // Address of an account whose confirmation link was sent and is not opened yet.
  const [unconfirmed, setUnconfirmed] = useState(
    (typed?.awaits_confirmation && typed.email) || null,
  )
  // An external provider also returns to this screen.
  const link = useEmailLink()
  const [isBusy, setBusy] = useState(false)
  // With a known address, the password is the next field.
  const [isKnown] = useState(email !== '')
  useEffect(() => {
    if (isKnown) document.querySelector<HTMLElement>('input[type=password]')?.focus()
  }, [isKnown])
  if (typeof link === 'object') return <AccountSwitchQuestion {...link} />
  if (user && link === 'opening') return <Loading text="Chargement..." />
  if (user) return <Navigate to={readReturnPath(user)} replace />

  const submit = async (): Promise<void> => {
    if (!hasPasswords) return
    const found: Errors = {
      email: emailError(email),
      password: password === '' ? 'Le mot de passe est obligatoire' : undefined,
    }
    setErrors(found)
    if (found.email || found.password) return focusFirstError()
    setBusy(true)
    try {
      await signIn({ email: email.trim(), password })
    } catch (error) {
      if (isRefusal(error, 'email_not_confirmed')) setUnconfirmed(email.trim())
      setErrors({ form: authMessage(error as Error, 'Erreur lors de la connexion') })
    } finally {
      setBusy(false)
    }
  }

  return (
    <CredentialsForm
      title="Connexion"
      action={hasPasswords ? 'Se connecter' : undefined}
      busy_action="Connexion..."
      isBusy={isBusy}
      error={
        errors.form ??
        (link === 'ended'
          ? `La connexion n’a pas abouti : réessayez${hasPasswords ? ', ou utilisez votre mot de passe' : ''}`
          : undefined)
      }
      onSubmit={submit}
      beside={<ProductPanel />}
      other={
        <>
          {hasPasswords && (
            <>
              Pas encore de compte ?{' '}
              <TextLink to="/signup" state={{ email }}>
                Créer un compte
              </TextLink>
            </>
          )}
          {settings?.hasPhones && (
            <span className="mt-2 block">
              <TextLink to="/login/phone">Se connecter avec un téléphone</TextLink>
            </span>
          )}
          {hasPasswords && (
            <span className="mt-2 block">
              <TextLink to="/forgot-password" state={{ email }}>
                Mot de passe oublié ?
              </TextLink>
            </span>
          )}
        </>
      }
    >
      {lostOwner && (
        <p className="text-ink-2">
          Votre session a pris fin. Reconnectez-vous pour revenir où vous en étiez.
        </p>
      )}
      {unconfirmed !== null && <ConfirmationNote key={unconfirmed} email={unconfirmed} />}
      <ExternalProviders />
      {hasPasswords && (
        <>
          <EmailField
            value={email}
            error={errors.email}
            onChange={(value) => {
              setEmail(value)
              setErrors({})
            }}
          />
          <PasswordField
            label="Mot de passe"
            value={password}
            error={errors.password}
            autoComplete="current-password"
            onChange={(value) => {
              setPassword(value)
              setErrors({})
            }}
          />
        </>
      )}
    </CredentialsForm>
  )
}

/** Renders a button for each sign-in provider of this installation. */
const ExternalProviders = () => {
  const { data: settings } = useQuery(authSettingsQuery())
  const signInWithProvider = (name: string): void => {
    const redirectTo = `${window.location.origin}/login`
    // The client's type lists the providers of its own host; ours are configured by the operator.
    void auth.signInWithOAuth({ provider: name as Provider, options: { redirectTo } })
  }
  return settings?.providers.map((name) => (
    <Button key={name} size="large" onClick={() => signInWithProvider(name)}>
      Continuer avec {formatProviderName(name)}
    </Button>
  ))
}

export default LoginPage
