import { useQuery } from '@tanstack/react-query'
import { InfoBox } from '#web/ui/info-box.tsx'
import { totalsQuery } from './integration-queries.ts'
import { KeyCard } from './key-card.tsx'
import { KitCard } from './kit-card.tsx'

/** The creator's accounts at the email tools (spec §2 « Account settings »). */
export const AccountIntegrations = () => (
  <section aria-labelledby="integrations" className="flex flex-col gap-4">
    <h2 id="integrations" className="scroll-mt-8 text-lg font-semibold">
      Intégrations
    </h2>
    <InfoBox id="integrations" title="Comment ça marche ?">
      <ol className="list-decimal pl-5">
        <li>Connectez ici vos outils d’e-mailing.</li>
        <li>Activez-les quiz par quiz : Paramètres du quiz, onglet Intégrations.</li>
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
  if (!data) return null
  return (
    <p className="mt-2">
      Si un outil refuse votre compte, les participants attendent et aucun n’est perdu.{' '}
      {data.is_told_by_mail
        ? 'Un email vous prévient, une fois par incident.'
        : 'Aucun email ne vous prévient ici : cette page et les envois de chaque quiz le disent.'}
    </p>
  )
}
