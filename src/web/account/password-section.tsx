import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { auth } from '#web/session/auth-client.ts'
import { CodeField } from '#web/session/code-field.tsx'
import { type Errors, focusFirstError, PasswordField } from '#web/session/credentials-form.tsx'
import { NewPasswordFields } from '#web/session/new-password-fields.tsx'
import { passwordErrors } from '#web/session/signup-errors.ts'
import { dataOf, useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Outcome, Section } from './section.tsx'

const EMPTY = { current: '', password: '', confirmation: '', nonce: '' }
type Found = Errors & { current?: string | undefined }

/** A session of more than a day must show a code that is mailed (AUTH_PASSWORD_CHANGE). */
const needsCode = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'reauthentication_needed'

/** Another password, for whoever knows this one; every other device is signed out by it. */
export const PasswordSection = () => {
  const [typed, setTyped] = useState(EMPTY)
  const [errors, setErrors] = useState<Found>({})
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
      await dataOf(
        auth.updateUser({ password, current_password: current, ...(nonce && { nonce }) }),
      )
    } catch (error) {
      if (!needsCode(error)) throw error
      await dataOf(auth.reauthenticate())
      setCodeAsked(true)
      return 'Votre connexion date : saisissez le code qui vient de vous être envoyé par email.'
    }
    setTyped(EMPTY)
    setCodeAsked(false)
    return 'Votre mot de passe est changé. Vos autres appareils sont déconnectés.'
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found: Found = {
      current: typed.current === '' ? 'Indiquez votre mot de passe actuel' : undefined,
      ...passwordErrors(typed),
    }
    setErrors(found)
    if (Object.values(found).some(Boolean)) focusFirstError()
    else run(save)
  }
  return (
    <Section title="Mot de passe">
      <form noValidate onSubmit={submit} className="flex max-w-sm flex-col gap-3">
        <PasswordField
          label="Mot de passe actuel"
          value={typed.current}
          error={errors.current}
          autoComplete="current-password"
          onChange={(current) => change({ current })}
        />
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
            Changer le mot de passe
          </Button>
          <Link to="/forgot-password" className="text-brand underline underline-offset-2">
            Je ne le connais pas
          </Link>
        </div>
      </form>
    </Section>
  )
}
