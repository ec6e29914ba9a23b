import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { isKitReturn, KIT_RETURN_WORDS } from '#domain/kit-return.ts'
import { client } from '#web/api/client.ts'
import { clearReturnPath } from '#web/session/return-path.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { DeliveryTotals } from './delivery-totals.tsx'
import { accountStatusQuery } from './integration-queries.ts'
import { ProviderCard } from './provider-card.tsx'
import { RecheckButton } from './recheck-button.tsx'
import { useAlerted } from './use-alerted.ts'

const FAILURE = 'Erreur lors de la connexion'

/** Kit, connected by OAuth (spec §2 « Account settings »). */
export const KitCard = () => {
  const query = accountStatusQuery('convertkit')
  const { data: status } = useQuery(query)
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const { run, isBusy } = useAlerted()

  const connect = (how: Parameters<typeof client.integrations.connectKit>[0] = {}): Promise<void> =>
    run(
      async () => {
        const { auth_url } = await client.integrations.connectKit(how)
        window.location.assign(auth_url)
        return undefined
      },
      { failure: FAILURE },
    )
  const disconnect = async (): Promise<void> => {
    const question = 'Déconnecter Kit ? Plus aucun participant n’y sera ajouté.'
    if (!(await confirm(question, { confirm_label: 'Déconnecter', danger: true }))) return
    await run(
      async () => {
        await client.integrations.disconnectKit()
        await queryClient.invalidateQueries(query)
        return 'Kit est déconnecté.'
      },
      { failure: 'Erreur lors de la déconnexion' },
    )
  }
  useKitReturn(connect)

  const isConnected = status?.isConnected ?? false
  return (
    <ProviderCard title="Kit" level={3} status={status}>
      {status?.email && <p className="text-sm wrap-anywhere text-ink-2">Compte : {status.email}</p>}
      <DeliveryTotals provider="convertkit" />
      {!isConnected && (
        <p className="text-sm text-ink-2">
          Vous autorisez Quizaine sur le site de Kit (anciennement ConvertKit), puis vous revenez
          ici.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {(!isConnected || status?.needs_attention) && (
          <Button variant="primary" busy={isBusy} onClick={() => connect()}>
            {isConnected ? 'Reconnecter Kit' : 'Connecter Kit'}
          </Button>
        )}
        {status?.needs_attention && <RecheckButton provider="convertkit" />}
        {isConnected && (
          <Button busy={isBusy} onClick={disconnect}>
            Déconnecter Kit
          </Button>
        )}
      </div>
    </ProviderCard>
  )
}

type Connecting = { return_to?: string | undefined; replace_account?: 'true' }

/** Handles a return from Kit once: shows the outcome of the OAuth consent, or starts one. */
const useKitReturn = (connect: (how: Connecting) => void): void => {
  const { alert, confirm } = useDialogs()
  const [query, setQuery] = useSearchParams()
  const returned = query.get('convertkit')
  const return_to = query.get('redirect') ?? undefined
  const isHandled = useRef(false)
  useEffect(() => {
    if (returned === null || isHandled.current) return
    isHandled.current = true
    clearReturnPath()
    setQuery({}, { replace: true })
    if (returned === 'install') {
      connect({ return_to })
      return
    }
    const outcome = isKitReturn(returned) ? returned : 'error'
    const words = KIT_RETURN_WORDS[outcome]
    if (outcome === 'ok') void alert(words)
    else if (outcome !== 'other') void alert(words, { title: 'Erreur' })
    else
      void confirm(words, { confirm_label: 'Connecter cet autre compte' }).then((isAgreed) => {
        if (isAgreed) connect({ replace_account: 'true' })
      })
  }, [returned, return_to, alert, confirm, setQuery, connect])
}
