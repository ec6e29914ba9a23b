import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { InfoBox } from '#web/ui/feedback/info-box.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { accountStatusQuery, totalsQuery } from './integration-queries.ts'
import { KeyCard } from './key-card.tsx'
import { DeliveryTotals, ProviderCard, RecheckButton } from './provider-card.tsx'
import { useAlertOnFailure } from './use-alert-on-failure.ts'
import { useKitConnection } from './use-kit-connection.ts'

/** Renders Kit, which is connected with OAuth (product 7.16). */
const KitCard = () => {
  const query = accountStatusQuery('convertkit')
  const { data: status } = useQuery(query)
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const { alert } = useDialogs()
  const { run, isBusy } = useAlertOnFailure()
  const kit = useKitConnection({ onConnected: (words) => void alert(words) })
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
          <Button variant="primary" busy={kit.isBusy} onClick={() => kit.connect()}>
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

/** Renders the creator's accounts at the email tools (product 7.16). */
export const AccountIntegrations = () => (
  <section aria-labelledby="integrations" className="flex flex-col gap-4">
    <h2 id="integrations" className="scroll-mt-8 text-lg font-semibold">
      Intégrations
    </h2>
    <InfoBox id="integrations" title="Comment ça marche ?">
      <ol className="list-decimal pl-5">
        <li>Connectez ici vos outils d’emailing.</li>
        <li>Activez-les quiz par quiz : Réglages du quiz, onglet Intégrations.</li>
        <li>
          Les participants qui donnent leur adresse y sont ajoutés avec leur résultat. Si vous
          choisissez la case à cocher, seulement ceux qui la cochent.
        </li>
      </ol>
      <BlockedNote />
    </InfoBox>
    <KitCard />
    <KeyCard provider="systemio" />
    <KeyCard provider="brevo" />
  </section>
)

/** Explains what happens when a tool stops accepting the account, and how the creator is notified. */
const BlockedNote = () => {
  const { data } = useQuery(totalsQuery())
  return (
    <p className="mt-2">
      Si un outil refuse votre compte, les participants attendent et aucun n’est perdu.{' '}
      {/* Invisible until the answer is known, so that nothing below moves. */}
      <span className={data ? '' : 'invisible'}>
        {data?.is_told_by_mail === false
          ? 'Aucun email ne vous prévient ici : cette page et les envois de chaque quiz le disent.'
          : 'Un email vous prévient, une fois par incident.'}
      </span>
    </p>
  )
}
