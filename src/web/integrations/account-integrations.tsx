import { Info } from 'lucide-react'
import { BlockedNote } from './blocked-note.tsx'
import { KeyCard } from './key-card.tsx'
import { KitCard } from './kit-card.tsx'

/** The creator's accounts at the email tools (spec §2 « Account settings »). */
export const AccountIntegrations = () => (
  <section aria-labelledby="integrations" className="flex flex-col gap-4">
    <h2 id="integrations" className="text-lg font-semibold">
      Intégrations
    </h2>
    <div className="flex gap-3 rounded-xl bg-brand-wash p-4 text-sm text-ink">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-brand" />
      <div>
        <p className="font-medium">Comment ça marche ?</p>
        <ol className="mt-1 list-decimal pl-5 text-ink-2">
          <li>Connectez ici vos outils d’e-mailing.</li>
          <li>Activez-les quiz par quiz : Paramètres du quiz, onglet Intégrations.</li>
          <li>
            Les participants qui donnent leur adresse y sont ajoutés avec leur résultat. Si vous
            choisissez la case à cocher, seulement ceux qui la cochent.
          </li>
        </ol>
        <BlockedNote />
      </div>
    </div>
    <KitCard />
    <KeyCard provider="systemio" />
    <KeyCard provider="brevo" />
  </section>
)
