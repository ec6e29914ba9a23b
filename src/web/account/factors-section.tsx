import type { Factor } from '@supabase/auth-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { authSettingsQuery } from '#web/session/auth-settings.ts'
import { formatPhoneNumber } from '#web/session/phone-number.ts'
import { unwrapAuthData, useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { accountQuery } from './account-queries.ts'
import { AuthenticatorDialog, RecoveryCodes } from './authenticator-dialog.tsx'
import { CodeForm } from './code-form.tsx'
import { Outcome, Section } from './section.tsx'

const KINDS: Record<string, string> = {
  totp: 'Application d’authentification',
  webauthn: 'Clé de sécurité',
  phone: 'Téléphone',
}

/** Returns the text that distinguishes a factor from the others of its type. */
const detailOf = ({ friendly_name, phone }: Factor & { phone?: string }): string | undefined =>
  phone ? formatPhoneNumber(phone) : friendly_name

/** Returns a name that no factor of the account has: 'Clé 2'. */
const freeName = (factors: Factor[], word: string): string => {
  const names = new Set(factors.map(({ friendly_name }) => friendly_name))
  const numbers = factors.map((_factor, index) => index + 1).concat(factors.length + 1)
  return `${word} ${numbers.find((number) => !names.has(`${word} ${number}`))}`
}

type SentCode = { factorId: string; challengeId: string }

/** Sets up a phone as a second factor, with the code that is sent to it. */
const PhoneFactorDialog = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const send = async (phone: string): Promise<SentCode> => {
    const { all } = await unwrapAuthData(auth.mfa.listFactors())
    // An enrolment that was not finished still has the name.
    const left = all.find((factor) => factor.friendly_name === name)
    if (left) await unwrapAuthData(auth.mfa.unenroll({ factorId: left.id }))
    const factor = await unwrapAuthData(
      auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: name }),
    )
    const { id } = await unwrapAuthData(auth.mfa.challenge({ factorId: factor.id }))
    return { factorId: factor.id, challengeId: id }
  }
  const verify = async (sent: SentCode, code: string): Promise<void> => {
    await unwrapAuthData(auth.mfa.verify({ ...sent, code }))
    onClose()
  }
  return (
    <Dialog title="Ajouter un téléphone" open onClose={onClose}>
      <CodeForm
        label="Numéro de téléphone"
        fallback="Le téléphone n’a pas pu être ajouté"
        send={send}
        verify={verify}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Lists the second factors of the account and adds new ones. */
export const FactorsSection = () => {
  const { data: account } = useQuery(accountQuery())
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const { data: settings } = useQuery(authSettingsQuery())
  const [open, setOpen] = useState<'totp' | 'phone'>()
  const { run, isBusy, done, failed } = useAction('Le second facteur n’a pas pu être enregistré')
  const all: Factor[] = account?.factors ?? []
  const factors = all.filter(
    ({ status, factor_type }) => status === 'verified' && factor_type !== 'recovery_code',
  )
  const reload = () => queryClient.invalidateQueries({ queryKey: ['account'] })

  const addKey = (): Promise<void> =>
    run(async () => {
      const { registerSecurityKey } = await import('#web/session/security-key.ts')
      await registerSecurityKey(freeName(all, 'Clé'))
      await reload()
      return 'La clé est enregistrée : elle sera demandée à la connexion.'
    })
  const remove = async ({ id, friendly_name }: Factor): Promise<void> => {
    const question = `Retirer « ${friendly_name || 'sans nom'} » ? Il ne sera plus demandé à la connexion.`
    if (!(await confirm(question, { confirm_label: 'Retirer', danger: true }))) return
    await run(async () => {
      await unwrapAuthData(auth.mfa.unenroll({ factorId: id }))
      await auth.refreshSession()
      await reload()
      return 'Le second facteur est retiré.'
    })
  }
  const close = (): void => {
    setOpen(undefined)
    reload()
  }
  const can = settings?.factors ?? { totp: false, phone: false, webauthn: false }
  const canAdd = can.totp || can.phone || can.webauthn
  // Hidden when there is nothing to list and this installation allows no new factor.
  if (factors.length === 0 && settings && !canAdd) return null
  return (
    <Section
      title="Double authentification"
      help={<HelpLink about="double authentification" page="compte#double-authentification" />}
    >
      <p className="text-ink-2">
        {factors.length > 0
          ? 'Un second facteur est demandé à chaque connexion, après le mot de passe.'
          : 'Demandez un code ou une clé à chaque connexion, en plus du mot de passe.'}
      </p>
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {factors.map((factor) => (
          <li key={factor.id} className="flex items-center gap-x-3 py-2">
            <div className="flex min-w-0 flex-1 flex-col gap-x-3 sm:flex-row">
              <span className="font-medium">{KINDS[factor.factor_type]}</span>
              <span className="text-ink-2 wrap-anywhere">{detailOf(factor)}</span>
            </div>
            <Button
              variant="ghost"
              aria-label={`Retirer ${factor.friendly_name}`}
              onClick={() => remove(factor)}
            >
              Retirer
            </Button>
          </li>
        ))}
      </ul>
      <Outcome done={done} failed={failed} />
      {/* Reserves the height of the buttons until the settings are loaded. */}
      <div
        className={`flex min-h-9 flex-wrap gap-2 pointer-coarse:min-h-11 ${settings ? 'empty:hidden' : ''}`}
      >
        {can.totp && <Button onClick={() => setOpen('totp')}>Ajouter une application</Button>}
        {can.phone && <Button onClick={() => setOpen('phone')}>Ajouter un téléphone</Button>}
        {can.webauthn && 'PublicKeyCredential' in window && (
          <Button busy={isBusy} onClick={addKey}>
            Ajouter une clé de sécurité
          </Button>
        )}
      </div>
      {factors.length > 0 && (
        <RecoveryCodes
          hasCodes={all.some(({ factor_type }) => factor_type === 'recovery_code')}
          onMade={reload}
        />
      )}
      {open === 'totp' && (
        <AuthenticatorDialog name={freeName(all, 'Application')} onClose={close} />
      )}
      {open === 'phone' && <PhoneFactorDialog name={freeName(all, 'Téléphone')} onClose={close} />}
    </Section>
  )
}
