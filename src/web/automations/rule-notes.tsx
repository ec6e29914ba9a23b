import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { settingsPath } from '#domain/common/settings-path.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { earlierQuery } from '#web/integrations/integration-queries.ts'
import { formatParticipants } from '#web/statistics/format/format.ts'

/** Explains that a tag alone sends nothing at Systeme.io, and how a rule of the account reacts to the tag. */
export const ListeningRule = () => (
  <details className="rounded-lg bg-wash p-3 text-sm">
    <summary className="min-h-6 cursor-pointer font-medium pointer-coarse:min-h-11">
      Chez Systeme.io, une règle doit écouter ce tag
    </summary>
    <p className="mt-2">
      Le tag classe le contact, mais n’envoie rien à lui seul. Dans Systeme.io :
    </p>
    <ol className="mt-1 list-decimal pl-5">
      <li>Ouvrez « Automatisations », puis « Règles », et créez une règle.</li>
      <li>Choisissez le déclencheur « Tag ajouté », avec ce tag.</li>
      <li>Ajoutez l’action voulue : inscrire à une campagne, envoyer un email…</li>
      <li>Enregistrez la règle et vérifiez qu’elle est active.</li>
    </ol>
  </details>
)

/** Renders a link to the sending of participants from before the tool was switched on. New rules apply to them too. */
export const ExistingParticipants = ({
  quizId,
  provider,
}: {
  quizId: string
  provider: ProviderName
}) => {
  const { data } = useQuery(earlierQuery(quizId))
  const count =
    data?.providers.find((candidate) => candidate.provider === provider)?.nb_participants ?? 0
  return (
    <p role="status" className="text-sm empty:hidden">
      {count > 0 && (
        <>
          {`${formatParticipants(count)} ${count > 1 ? 'n’ont' : 'n’a'} pas encore été ${count > 1 ? 'envoyés' : 'envoyé'} à ${PROVIDER_LABELS[provider]}. La règle vaudra aussi pour ${count > 1 ? 'eux' : 'lui'}. `}
          <Link
            to={settingsPath(quizId, 'integrations')}
            className="text-brand underline underline-offset-2"
          >
            {count > 1 ? 'Envoyer les participants existants' : 'Envoyer le participant existant'}
          </Link>
        </>
      )}
    </p>
  )
}
