import { useEffect, useState } from 'react'
import { Navigate } from 'react-router'
import { auth } from '#web/api/auth-client.ts'
import { Button } from '#web/ui/button.tsx'
import { PhoneField, SmsCodeField } from './code-field.tsx'
import { CredentialsForm, focusFirstError } from './credentials-form.tsx'
import { loginLink } from './email-request.tsx'
import { phoneNumberError, readPhoneNumber } from './phone-number.ts'
import { readReturnPath } from './return-path.ts'
import { useSession } from './session.tsx'
import { unwrapAuthData, useAction } from './use-action.ts'

const focusCode = (): void => document.querySelector<HTMLElement>('form input')?.focus()

/** Renders the sign-in with a code sent as a text message. */
const PhoneLoginPage = () => {
  const { user } = useSession()
  const [typed, setTyped] = useState('')
  const [phone, setPhone] = useState<string>()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { run, isBusy, failed, forget } = useAction('Le code n’a pas pu être envoyé')
  useEffect(() => {
    if (phone) focusCode()
  }, [phone])
  if (user) return <Navigate to={readReturnPath(user)} replace />

  const ask = async (): Promise<undefined> => {
    const number = readPhoneNumber(typed) ?? ''
    await unwrapAuthData(auth.signInWithOtp({ phone: number }))
    setPhone(number)
    return undefined
  }
  const open = async (): Promise<undefined> => {
    await unwrapAuthData(auth.verifyOtp({ type: 'sms', phone: phone ?? '', token: code }))
    return undefined
  }
  const submit = (): void => {
    const missing = code === '' ? 'Saisissez le code' : undefined
    const found = phone ? missing : phoneNumberError(typed)
    setError(found)
    if (found) focusFirstError()
    else run(phone ? open : ask)
  }
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    setError(undefined)
    forget()
  }
  return (
    <CredentialsForm
      title="Connexion par téléphone"
      action={phone ? 'Se connecter' : 'Recevoir un code'}
      busy_action={phone ? 'Connexion...' : 'Envoi...'}
      isBusy={isBusy}
      error={failed}
      onSubmit={submit}
      other={
        <>
          {phone && (
            <Button
              variant="ghost"
              onClick={() => {
                setPhone(undefined)
                setCode('')
                forget()
              }}
            >
              Recevoir un autre code
            </Button>
          )}
          {loginLink}
        </>
      }
    >
      {phone ? (
        <SmsCodeField phone={phone} value={code} error={error} onChange={change(setCode)} />
      ) : (
        <>
          <p className="text-ink-2">
            Vous recevrez un code par SMS. Un compte est créé si ce numéro n’en a pas encore.
          </p>
          <PhoneField
            label="Numéro de téléphone"
            value={typed}
            error={error}
            onChange={change(setTyped)}
          />
        </>
      )}
    </CredentialsForm>
  )
}

export default PhoneLoginPage
