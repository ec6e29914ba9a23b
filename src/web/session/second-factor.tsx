import type { Factor } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeField } from './code-field.tsx'
import { CredentialsForm, focusFirstError } from './credentials-form.tsx'
import { useSession } from './session.tsx'
import { unwrapAuthData, useAction } from './use-action.ts'

type Method = 'totp' | 'webauthn' | 'phone' | 'recovery_code'
const ORDER: Method[] = ['totp', 'webauthn', 'phone', 'recovery_code']

const METHODS: Record<Method, { other: string; intro: string; label: string; action: string }> = {
  totp: {
    action: 'Vérifier',
    other: 'Utiliser l’application',
    intro: 'Saisissez le code que votre application d’authentification affiche en ce moment.',
    label: 'Code à 6 chiffres',
  },
  webauthn: {
    action: 'Utiliser ma clé',
    other: 'Utiliser une clé de sécurité',
    intro: 'Branchez votre clé, ou préparez l’appareil que vous avez enregistré.',
    label: '',
  },
  phone: {
    action: 'Vérifier',
    other: 'Recevoir un code par SMS',
    intro: 'Saisissez le code envoyé à votre téléphone.',
    label: 'Code reçu par SMS',
  },
  recovery_code: {
    action: 'Vérifier',
    other: 'Utiliser un code de secours',
    intro: 'Saisissez l’un des codes de secours que vous avez gardés. Chacun ne sert qu’une fois.',
    label: 'Code de secours',
  },
}

const focusForm = (): void =>
  document.querySelector<HTMLElement>('form input, form button')?.focus()

type Challenge = { factorId: string; challengeId: string }

const sendText = async (factorId: string): Promise<Challenge> => {
  const { id } = await unwrapAuthData(auth.mfa.challenge({ factorId }))
  return { factorId, challengeId: id }
}

const show = async (
  method: Method,
  { factors, code, sent }: { factors: Factor[]; code: string; sent: Challenge | undefined },
): Promise<void> => {
  const factorId = factors.find(({ factor_type }) => factor_type === method)?.id ?? ''
  if (method === 'recovery_code') await unwrapAuthData(auth.mfa.recoveryCodes.verify({ code }))
  else if (method === 'webauthn')
    await (await import('./security-key.ts')).verifyWithSecurityKey(factorId)
  else if (method === 'phone')
    await unwrapAuthData(auth.mfa.verify({ factorId, challengeId: '', ...sent, code }))
  else await unwrapAuthData(auth.mfa.challengeAndVerify({ factorId, code }))
}

/** Asks for a second factor of the account; the session changes once it is verified. */
export const SecondFactor = ({ title }: { title: string }) => {
  const { user, signOut } = useSession()
  const factors = (user?.factors ?? []).filter(({ status }) => status === 'verified')
  const methods = ORDER.filter((method) =>
    factors.some(({ factor_type }) => factor_type === method),
  )
  const [chosen, setChosen] = useState<Method>()
  const method = chosen ?? methods[0] ?? 'totp'
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [sent, setSent] = useState<Challenge>()
  const { run, isBusy, failed, forget } = useAction('La vérification a échoué')
  const { label } = METHODS[method]
  const phone = factors.find(({ factor_type }) => factor_type === 'phone')
  const isUnsent = method === 'phone' && !sent
  const hasField = label !== '' && !isUnsent
  const intro = isUnsent
    ? 'Recevez un code sur le téléphone de votre compte.'
    : METHODS[method].intro

  useEffect(() => {
    if (sent) focusForm()
  }, [sent])

  const choose = (other: Method): void => {
    setChosen(other)
    setCode('')
    setError(undefined)
    forget()
    requestAnimationFrame(focusForm)
  }
  const submit = (): void => {
    const isMissing = hasField && code === ''
    setError(isMissing ? 'Saisissez le code' : undefined)
    if (isMissing) focusFirstError()
    else
      run(async () => {
        if (isUnsent) {
          setSent(await sendText(phone?.id ?? ''))
        } else await show(method, { factors, code, sent })
        return undefined
      })
  }
  return (
    <CredentialsForm
      title={title}
      action={isUnsent ? 'Recevoir un code' : METHODS[method].action}
      busy_action={isUnsent ? 'Envoi...' : 'Vérification...'}
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
      {hasField && (
        <CodeField
          label={label}
          value={code}
          error={error}
          isNumeric={method !== 'recovery_code'}
          onChange={(typed) => {
            setCode(typed)
            setError(undefined)
            forget()
          }}
        />
      )}
      {method === 'phone' && sent && (
        <Button variant="ghost" className="order-last" onClick={() => setSent(undefined)}>
          Recevoir un autre code
        </Button>
      )}
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <Button key={other} variant="ghost" className="order-last" onClick={() => choose(other)}>
            {METHODS[other].other}
          </Button>
        ))}
    </CredentialsForm>
  )
}
