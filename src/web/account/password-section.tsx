import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { isRefusal } from '#web/session/auth-labels.ts'
import { CodeField } from '#web/session/code-field.tsx'
import { type Errors, focusFirstError, PasswordField } from '#web/session/credentials-form.tsx'
import { NewPasswordFields, passwordErrors } from '#web/session/new-password-fields.tsx'
import { unwrapAuthData, useAction } from '#web/session/use-action.ts'
import { Button, TextLink } from '#web/ui/button.tsx'
import { accountQuery } from './account-queries.ts'
import { Outcome, Section } from './section.tsx'

const EMPTY = { current: '', password: '', confirmation: '', nonce: '' }
type FieldErrors = Errors & { current?: string | undefined }

/** Changes the password, which signs out every other device. The current password may be required. */
export const PasswordSection = () => {
  const [typed, setTyped] = useState(EMPTY)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { data: account } = useQuery(accountQuery())
  const identities = account?.identities ?? []
  // An account that only uses providers has no password yet. The service asks for the current password if there is
  // one.
  const [isCurrentAsked, setCurrentAsked] = useState(false)
  const isFirst =
    !isCurrentAsked &&
    identities.length > 0 &&
    !identities.some(({ provider }) => provider === 'email' || provider === 'phone')
  const [isCodeAsked, setCodeAsked] = useState(false)
  const { run, isBusy, done, failed, forget } = useAction('Le mot de passe n’a pas pu être changé')

  const change = (changes: Partial<typeof EMPTY>): void => {
    setTyped({ ...typed, ...changes })
    setErrors({})
    forget()
  }
  const save = async (): Promise<string | undefined> => {
    const { password, current, nonce } = typed
    try {
      await unwrapAuthData(
        auth.updateUser({
          password,
          ...(current && { current_password: current }),
          ...(nonce && { nonce }),
        }),
      )
    } catch (error) {
      if (isRefusal(error, 'current_password_required')) setCurrentAsked(true)
      if (!isRefusal(error, 'reauthentication_needed')) throw error
      await unwrapAuthData(auth.reauthenticate())
      setCodeAsked(true)
      return 'Votre connexion date : saisissez le code qui vient de vous être envoyé par email.'
    }
    setTyped(EMPTY)
    setCodeAsked(false)
    return 'Votre mot de passe est changé. Vos autres appareils sont déconnectés.'
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found: FieldErrors = {
      current: typed.current === '' && !isFirst ? 'Indiquez votre mot de passe actuel' : undefined,
      ...passwordErrors(typed),
    }
    setErrors(found)
    if (Object.values(found).some(Boolean)) focusFirstError()
    else run(save)
  }
  // Signing in with a password needs an address or a phone number.
  if (account && !account.email && !account.phone) return null
  return (
    <Section title="Mot de passe">
      <form noValidate onSubmit={submit} className="flex max-w-sm flex-col gap-3">
        {isFirst && (
          <p className="text-ink-2">
            Vous vous connectez par un autre compte. Choisissez un mot de passe pour entrer aussi
            avec votre adresse.
          </p>
        )}
        {!isFirst && (
          <PasswordField
            label="Mot de passe actuel"
            value={typed.current}
            error={errors.current}
            autoComplete="current-password"
            onChange={(current) => change({ current })}
          />
        )}
        <NewPasswordFields
          labels={{
            password: 'Nouveau mot de passe',
            confirmation: 'Confirmer le nouveau mot de passe',
          }}
          value={typed}
          errors={errors}
          onChange={change}
        />
        {isCodeAsked && (
          <CodeField
            label="Code reçu par email"
            value={typed.nonce}
            onChange={(nonce) => change({ nonce })}
          />
        )}
        <Outcome done={done} failed={failed} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={isBusy}>
            {isFirst ? 'Choisir ce mot de passe' : 'Changer le mot de passe'}
          </Button>
          {!isFirst && <TextLink to="/forgot-password">Je ne le connais pas</TextLink>}
        </div>
      </form>
    </Section>
  )
}
