import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { DeliveryTotals } from './delivery-totals.tsx'
import { accountStatusQuery } from './integration-queries.ts'
import { ProviderCard } from './provider-card.tsx'
import { RecheckButton } from './recheck-button.tsx'
import { useAlerted } from './use-alerted.ts'
import { useKitReturn } from './use-kit-return.ts'

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
