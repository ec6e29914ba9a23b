import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { TextLink } from '#web/ui/button.tsx'
import { authMessage } from './auth-labels.ts'
import {
  CredentialsForm,
  EmailField,
  type Errors,
  emailError,
  focusFirstError,
} from './credentials-form.tsx'
import { Notice } from './email-link.tsx'
import type { TypedEmail } from './login-page.tsx'

/** Link back to the login screen. */
export const loginLink = <TextLink to="/login">Retour à la connexion</TextLink>

/** Asks for an address and requests an email to it. The answer does not reveal whether an account has the address. */
export const EmailRequest = ({
  title,
  action,
  intro,
  ask,
}: {
  title: string
  action: string
  intro: ReactNode
  ask: (email: string) => Promise<{ error: Error | null }>
}) => {
  const kept = useLocation().state as TypedEmail
  const [email, setEmail] = useState(kept?.email ?? '')
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)

  const submit = async (): Promise<void> => {
    const found = emailError(email)
    setErrors({ email: found })
    if (found) return focusFirstError()
    setBusy(true)
    const { error } = await ask(email.trim())
    setBusy(false)
    if (error) setErrors({ form: authMessage(error, 'Le message n’a pas pu être demandé') })
    else setSent(true)
  }

  if (isSent)
    return (
      <Notice title="Consultez votre messagerie" entry={loginLink}>
        <p>
          Si un compte correspond à <strong className="break-all">{email.trim()}</strong>, un
          message vient de partir vers cette adresse.
        </p>
        <p className="text-ink-2">
          Son lien est valable une heure. Pensez à regarder dans les courriers indésirables.
        </p>
      </Notice>
    )
  return (
    <CredentialsForm
      title={title}
      action={action}
      busy_action="Envoi..."
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      other={loginLink}
    >
      <p className="text-ink-2">{intro}</p>
      <EmailField
        value={email}
        error={errors.email}
        onChange={(value) => {
          setEmail(value)
          setErrors({})
        }}
      />
    </CredentialsForm>
  )
}
