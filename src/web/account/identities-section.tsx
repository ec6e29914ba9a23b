import type { Provider, UserIdentity } from '@supabase/auth-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { auth, endOtherSession } from '#web/api/auth-client.ts'
import { authMessage } from '#web/session/auth-labels.ts'
import { authSettingsQuery, formatProviderName } from '#web/session/auth-settings.ts'
import { formatPhoneNumber } from '#web/session/phone-number.ts'
import { unwrapAuthData, useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { accountQuery } from './account-queries.ts'
import { Outcome, Section } from './section.tsx'

const OWN: Record<string, string> = {
  email: 'Adresse email',
  phone: 'Téléphone',
  web3: 'Portefeuille',
}
const nameOf = (provider: string): string => OWN[provider] ?? formatProviderName(provider)

/** Returns the text that distinguishes an identity from the others of its provider. */
const detailOf = ({ identity_data }: UserIdentity): string => {
  const { email, phone, custom_claims } = identity_data ?? {}
  return email ?? (phone ? formatPhoneNumber(phone) : (custom_claims?.address ?? ''))
}

const LINK_FAILED = 'Le moyen de connexion n’a pas pu être ajouté'

/**
 * Lists, adds and removes the identities of the account; renders nothing if the installation does not allow linking.
 */
export const IdentitiesSection = () => {
  const { data: settings } = useQuery(authSettingsQuery())
  return settings?.canLink ? <Identities providers={settings.providers} /> : null
}

/** The outcome of linking an identity at a provider. */
type LinkReturn = {
  isLinked: boolean
  error_code?: string
  /** Resolves once the account no longer changes. */
  settled: Promise<unknown>
}

const read = (): LinkReturn | undefined => {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const access_token = fragment.get('access_token')
  const error_code = fragment.get('error_code')
  if (!access_token && !error_code) return undefined
  // The fragment contains a token of the account, so it must not stay in the address.
  window.history.replaceState(window.history.state, '', window.location.pathname)
  // The return opens a second session, which is ended because this browser already has one.
  const settled = access_token ? endOtherSession(access_token) : Promise.resolve()
  return { isLinked: access_token !== null, ...(error_code && { error_code }), settled }
}

let known: LinkReturn | undefined

/** Reads the outcome from the address after the return from a provider; undefined on any other visit. */
const readLinkReturn = (): LinkReturn | undefined => {
  // React mounts twice in development, and the address is already cleared at the second mount.
  known = read() ?? known
  const linkReturn = known
  queueMicrotask(() => {
    known = undefined
  })
  return linkReturn
}

const Identities = ({ providers }: { providers: string[] }) => {
  const { data: account } = useQuery(accountQuery())
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const [back, setBack] = useState(readLinkReturn)
  const { run, isBusy, done, failed } = useAction('Le moyen de connexion n’a pas pu être changé')
  useEffect(() => {
    const account = { queryKey: ['account'] }
    // A request in progress may have been answered before the change.
    back?.settled
      .then(() => queryClient.cancelQueries(account))
      .then(() => queryClient.invalidateQueries(account))
  }, [back, queryClient])
  const identities = account?.identities ?? []
  const missing = providers.filter(
    (name) => account && !identities.some(({ provider }) => provider === name),
  )

  const add = (name: string): Promise<void> => {
    setBack(undefined)
    const redirectTo = `${window.location.origin}/settings`
    return run(async () => {
      // The client's type lists the providers of its own host; ours are configured by the operator.
      await unwrapAuthData(
        auth.linkIdentity({ provider: name as Provider, options: { redirectTo } }),
      )
      return undefined
    })
  }
  const remove = async (identity: UserIdentity): Promise<void> => {
    const question = `Retirer « ${nameOf(identity.provider)} » ? Vous ne pourrez plus vous connecter ainsi.`
    if (!(await confirm(question, { confirm_label: 'Retirer', danger: true }))) return
    setBack(undefined)
    await run(async () => {
      await unwrapAuthData(auth.unlinkIdentity(identity))
      await auth.refreshSession()
      await queryClient.invalidateQueries(accountQuery())
      return 'Le moyen de connexion est retiré.'
    })
  }
  const refusal = back?.error_code && authMessage({ code: back.error_code }, LINK_FAILED)
  return (
    <Section title="Moyens de connexion">
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {identities.map((identity) => (
          <li key={identity.identity_id} className="flex min-h-12 items-center gap-x-3 py-1">
            <div className="flex min-w-0 flex-1 flex-col gap-x-3 sm:flex-row">
              <span className="font-medium">{nameOf(identity.provider)}</span>
              <span className="text-ink-2 wrap-anywhere">{detailOf(identity)}</span>
            </div>
            {identities.length > 1 && (
              <Button
                variant="ghost"
                aria-label={`Retirer ${nameOf(identity.provider)}`}
                onClick={() => remove(identity)}
              >
                Retirer
              </Button>
            )}
          </li>
        ))}
      </ul>
      {identities.length === 1 && (
        <p className="text-ink-2">C’est votre seul moyen de connexion : il ne peut être retiré.</p>
      )}
      <Outcome
        done={back?.isLinked ? 'Le moyen de connexion est ajouté.' : done}
        failed={refusal || failed}
      />
      <div className="flex flex-wrap gap-2 empty:hidden">
        {missing.map((name) => (
          <Button key={name} busy={isBusy} onClick={() => add(name)}>
            Ajouter {formatProviderName(name)}
          </Button>
        ))}
      </div>
    </Section>
  )
}
