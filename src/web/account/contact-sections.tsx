import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { authSettingsQuery } from '#web/session/auth-settings.ts'
import { emailError, focusFirstError } from '#web/session/credentials-form.tsx'
import { formatPhoneNumber } from '#web/session/phone-number.ts'
import { useSession } from '#web/session/session.tsx'
import { unwrapAuthData, useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { accountQuery } from './account-queries.ts'
import { CodeForm } from './code-form.tsx'
import { Outcome, Section } from './section.tsx'

/** Changes the phone number of the account; renders nothing if the installation has no sign-in by phone. */
export const PhoneSection = () => {
  const { data: settings } = useQuery(authSettingsQuery())
  return settings?.hasPhones ? <Phone /> : null
}

const Phone = () => {
  const { data: account } = useQuery(accountQuery())
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries(accountQuery())

  const send = async (phone: string): Promise<string | undefined> => {
    const { user } = await unwrapAuthData(auth.updateUser({ phone }))
    await reload()
    return user.new_phone ? phone : undefined
  }
  const verify = async (phone: string, token: string): Promise<void> => {
    await unwrapAuthData(auth.verifyOtp({ type: 'phone_change', phone, token }))
    await reload()
  }
  return (
    <Section title="Téléphone">
      {account && (
        <dl className="flex flex-wrap gap-x-3 gap-y-1">
          <dt className="text-ink-2">Numéro</dt>
          <dd>{account.phone ? formatPhoneNumber(account.phone) : 'Aucun'}</dd>
        </dl>
      )}
      <p className="text-ink-2">Ce numéro sert à vous connecter par un code reçu par SMS.</p>
      <CodeForm
        label={account?.phone ? 'Nouveau numéro' : 'Numéro de téléphone'}
        fallback="Le numéro n’a pas pu être changé"
        send={send}
        verify={verify}
      />
    </Section>
  )
}

const confirmation = () => ({ emailRedirectTo: `${window.location.origin}/confirmation` })

/** Shows and changes the address of the account; both addresses confirm a change. */
export const EmailSection = () => {
  const { user } = useSession()
  const { data: account } = useQuery(accountQuery())
  const { data: settings } = useQuery(authSettingsQuery())
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string>()
  const { run, isBusy, done, failed, forget } = useAction('L’adresse n’a pas pu être changée')
  const current = account?.email ?? user?.email ?? ''

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const typed = email.trim()
    const isSame = typed.toLowerCase() === current
    const found = emailError(email) ?? (isSame ? 'C’est déjà votre adresse' : undefined)
    setError(found)
    if (found) focusFirstError()
    else run(change)
  }
  const change = async (): Promise<string> => {
    await unwrapAuthData(auth.updateUser({ email: email.trim() }, confirmation()))
    await queryClient.invalidateQueries(accountQuery())
    setEmail('')
    if (!current) return 'Un message vient de partir vers cette adresse : suivez son lien.'
    return settings?.isOneLinkEnough
      ? 'Un message vient de partir vers chacune des deux adresses : suivez l’un des deux liens.'
      : 'Un message vient de partir vers chacune des deux adresses.'
  }
  return (
    <Section title="Compte">
      <dl className="flex flex-wrap gap-x-3 gap-y-1">
        <dt className="text-ink-2">Adresse email</dt>
        <dd className="wrap-anywhere">{current || (account && 'Aucune')}</dd>
      </dl>
      {account?.new_email && (
        <p className="text-ink-2">
          En attente : <strong className="wrap-anywhere">{account.new_email}</strong>.{' '}
          {current
            ? `Suivez le lien reçu à ${settings?.isOneLinkEnough ? 'l’une' : 'chacune'} des deux adresses ; jusque-là, rien ne change.`
            : 'Suivez le lien reçu à cette adresse.'}
        </p>
      )}
      <form noValidate onSubmit={submit} className="flex max-w-sm flex-col gap-3">
        <TextField
          label={current || !account ? 'Nouvelle adresse email' : 'Votre adresse email'}
          type="email"
          autoComplete="email"
          value={email}
          error={error}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setError(undefined)
            forget()
          }}
        />
        <Outcome done={done} failed={failed} />
        <Button type="submit" busy={isBusy} className="self-start">
          {current || !account ? 'Changer l’adresse' : 'Ajouter l’adresse'}
        </Button>
      </form>
    </Section>
  )
}
