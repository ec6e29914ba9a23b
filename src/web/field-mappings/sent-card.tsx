import { useQuery } from '@tanstack/react-query'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { accountStatusQuery } from '#web/integrations/integration-queries.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { ConnectButton, type useToolConnection } from '#web/integrations/use-tool-connection.tsx'
import { TextLink } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { consentSentence, rolesOf } from './mapping-labels.ts'
import { mappingsQuery } from './mapping-queries.ts'
import { SentTool } from './sent-tool.tsx'
import { Skeleton } from './skeleton.tsx'

const TITLE_ID = 'sent-fields'

type Props = {
  draft: EditorDraft
  /** Saves pending edits, so that a mapping can refer to them. */
  flush: () => Promise<void>
  connect: ReturnType<typeof useToolConnection>['connect']
}

/** Renders what each tool receives of a participant, as a sample contact whose fields can be chosen. */
const SentCard = ({ draft, flush, connect }: Props) => {
  const { quiz, questions } = draft
  const roles = rolesOf(questions)
  const query = useQuery(mappingsQuery(quiz.id))
  const { data, error, fetchStatus } = query
  return (
    <section
      aria-labelledby={TITLE_ID}
      className="flex flex-col gap-4 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-col gap-1">
        <div className="flex items-center justify-between gap-2">
          <h2 id={TITLE_ID} tabIndex={-1} className="text-base font-semibold">
            Ce qui est transmis
          </h2>
          <HelpLink about="champs envoyés" page="tags-et-regles#choisir-les-champs" />
        </div>
        <p className="text-sm text-ink-2">
          Chaque outil montrera un participant comme cet exemple. Un changement vaut dès le prochain
          envoi.
        </p>
        <p className="text-sm text-ink-2">{consentSentence(roles)}</p>
        {quiz.confirms_email && (
          <p className="text-sm text-ink-2">
            Avant la confirmation de l’adresse : aucun outil ne reçoit rien. Après la confirmation :
            chaque outil reçoit cet exemple.
          </p>
        )}
      </div>
      {roles.length === 0 && (
        <p className="text-sm">
          {'Pour envoyer aussi le prénom ou le téléphone, ajoutez « Coordonnées » à vos '}
          <TextLink to={`/quiz/${quiz.id}/questions`}>questions</TextLink>.
        </p>
      )}
      <p role="status" className="text-sm text-ink-2 empty:hidden">
        {!data &&
          fetchStatus === 'paused' &&
          'Vous êtes hors connexion : l’exemple arrivera avec le réseau.'}
        {!data && fetchStatus === 'fetching' && (
          <span className="appear-late">Chargement de l’exemple…</span>
        )}
      </p>
      {!data && fetchStatus === 'fetching' && <Skeleton lines={5} />}
      {error && fetchStatus === 'idle' && (
        <LoadFailure
          text={failureText(error, 'L’exemple de contact n’a pas pu être chargé.')}
          query={query}
        />
      )}
      {data &&
        PROVIDERS.map((provider) => {
          const tool = data.tools.find((candidate) => candidate.provider === provider)
          const mappings = data.mappings.filter((mapping) => mapping.provider === provider)
          return (
            <div key={provider} className="flex flex-col gap-3">
              {tool?.is_connected && (
                <SentTool draft={draft} tool={tool} mappings={mappings} flush={flush} />
              )}
              <Connection
                provider={provider}
                isConnected={tool?.is_connected ?? false}
                count={mappings.length}
                connect={connect}
              />
            </div>
          )
        })}
    </section>
  )
}

export default SentCard

/** Renders the button that connects a tool, if it is not connected or if it refuses the account. */
const Connection = ({
  provider,
  isConnected,
  count,
  connect,
}: {
  provider: ProviderName
  isConnected: boolean
  /** Number of mappings of the tool. */
  count: number
  connect: Props['connect']
}) => {
  const { data: status } = useQuery(accountStatusQuery(provider))
  const name = PROVIDER_LABELS[provider]
  if (isConnected && !status?.needs_attention) return null
  const waiting = count > 1 ? `Les ${count} champs choisis attendent` : 'Le champ choisi attend'
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p className="min-w-0 flex-1 basis-60 text-ink-2">
        {isConnected
          ? `${name} refuse votre compte : les participants attendent.`
          : `${name} n’est pas connecté. ${count > 0 ? `${waiting} une connexion.` : ''}`}
      </p>
      <ConnectButton
        provider={provider}
        isConnected={isConnected}
        connect={connect}
        next_id={TITLE_ID}
      />
    </div>
  )
}
