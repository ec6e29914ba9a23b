import type { Factor } from '@supabase/auth-js'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { auth } from './auth-client.ts'
import { CodeField } from './code-field.tsx'
import { CredentialsForm, focusFirstError } from './credentials-form.tsx'
import { useSession } from './session.tsx'
import { dataOf, useAction } from './use-action.ts'

type Way = 'totp' | 'webauthn' | 'phone' | 'recovery_code'
const ORDER: Way[] = ['totp', 'webauthn', 'phone', 'recovery_code']

const WAYS: Record<Way, { other: string; intro: string; label: string }> = {
  totp: {
    other: 'Utiliser l’application',
    intro: 'Saisissez le code que votre application d’authentification affiche en ce moment.',
    label: 'Code à 6 chiffres',
  },
  webauthn: {
    other: 'Utiliser une clé de sécurité',
    intro: 'Branchez votre clé, ou préparez l’appareil que vous avez enregistré.',
    label: '',
  },
  phone: {
    other: 'Recevoir un code par SMS',
    intro: 'Saisissez le code envoyé à votre téléphone.',
    label: 'Code reçu par SMS',
  },
  recovery_code: {
    other: 'Utiliser un code de secours',
    intro: 'Saisissez l’un des codes de secours que vous avez gardés. Chacun ne sert qu’une fois.',
    label: 'Code de secours',
  },
}

const focusForm = (): void =>
  document.querySelector<HTMLElement>('form input, form button')?.focus()

type Challenge = { factorId: string; challengeId: string }

const sendText = async (factorId: string): Promise<Challenge> => {
  const { id } = await dataOf(auth.mfa.challenge({ factorId }))
  return { factorId, challengeId: id }
}

const show = async (
  way: Way,
  { factors, code, sent }: { factors: Factor[]; code: string; sent: Challenge | undefined },
): Promise<void> => {
  const factorId = factors.find(({ factor_type }) => factor_type === way)?.id ?? ''
  if (way === 'recovery_code') await dataOf(auth.mfa.recoveryCodes.verify({ code }))
  else if (way === 'webauthn') await (await import('./security-key.ts')).showKey(factorId)
  else if (way === 'phone')
    await dataOf(auth.mfa.verify({ ...(sent ?? (await sendText(factorId))), code }))
  else await dataOf(auth.mfa.challengeAndVerify({ factorId, code }))
}

/** Asks for a second factor of the account; once it was shown, the session says so and this goes away. */
export const SecondFactor = ({ title }: { title: string }) => {
  const { user, signOut } = useSession()
  const factors = (user?.factors ?? []).filter(({ status }) => status === 'verified')
  const ways = ORDER.filter((way) => factors.some(({ factor_type }) => factor_type === way))
  const [chosen, setChosen] = useState<Way>()
  const way = chosen ?? ways[0] ?? 'totp'
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [sent, setSent] = useState<Challenge>()
  const { run, isBusy, failed, forget } = useAction('La vérification a échoué')
  const { intro, label } = WAYS[way]

  const choose = (other: Way): void => {
    setChosen(other)
    setCode('')
    setError(undefined)
    forget()
    requestAnimationFrame(focusForm)
    const phone = factors.find(({ factor_type }) => factor_type === 'phone')
    if (other === 'phone' && phone)
      run(async () => {
        setSent(await sendText(phone.id))
        return undefined
      })
  }
  const submit = (): void => {
    const isMissing = way !== 'webauthn' && code === ''
    setError(isMissing ? 'Saisissez le code' : undefined)
    if (isMissing) focusFirstError()
    else
      run(async () => {
        await show(way, { factors, code, sent })
        return undefined
      })
  }
  return (
    <CredentialsForm
      title={title}
      action={way === 'webauthn' ? 'Utiliser ma clé' : 'Vérifier'}
      busy_action="Vérification..."
      isBusy={isBusy}
      error={failed}
      onSubmit={submit}
      other={
        <Button variant="ghost" onClick={signOut}>
          Se déconnecter
        </Button>
      }
    >
      <p className="text-ink-2">{intro}</p>
      {label && (
        <CodeField
          label={label}
          value={code}
          error={error}
          isNumeric={way !== 'recovery_code'}
          onChange={(typed) => {
            setCode(typed)
            setError(undefined)
            forget()
          }}
        />
      )}
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Button key={other} variant="ghost" className="order-last" onClick={() => choose(other)}>
            {WAYS[other].other}
          </Button>
        ))}
    </CredentialsForm>
  )
}
