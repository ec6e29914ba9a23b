import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { QuizSwitches } from '#contract/integrations.ts'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import { accountStatusQuery } from '#web/integrations/integration-queries.ts'
import { ProviderCard } from '#web/integrations/provider-card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { EarlierParticipants } from './earlier-participants.tsx'
import { FieldName } from './field-name.tsx'
import { useSwitch } from './use-switch.ts'

/** One tool of a quiz: its switch, which needs a connected account, and where the result goes. */
export const QuizProvider = ({
  provider,
  quiz,
  switches,
  onRenamed,
}: {
  provider: ProviderName
  quiz: Quiz
  switches: QuizSwitches
  onRenamed: () => void
}) => {
  const label = PROVIDER_LABELS[provider]
  const { data: status } = useQuery(accountStatusQuery(provider))
  const { chosen, put, isBusy } = useSwitch(quiz.id, provider, switches[provider])
  const isConnected = status?.isConnected ?? false
  return (
    <ProviderCard title={label} level={2} status={status}>
      <Switch
        label={`Envoyer les participants à ${label}`}
        checked={chosen.enabled}
        disabled={!isConnected}
        aria-busy={isBusy || undefined}
        onChange={(event) => put({ ...chosen, enabled: event.currentTarget.checked })}
      />
      {status && !isConnected && (
        <p className="text-sm text-ink-2">
          Connectez d’abord votre compte {label} dans les{' '}
          <Link to="/settings" className="text-brand underline">
            paramètres
          </Link>
          .
        </p>
      )}
      {chosen.enabled && isConnected && <EarlierParticipants provider={provider} quiz={quiz} />}
      {provider !== 'systemio' && (
        <FieldName
          provider={provider}
          quiz={quiz}
          onSaved={() => {
            onRenamed()
            // Makes the field of the new name, and says so when that fails.
            if (chosen.enabled) void put(chosen)
          }}
        />
      )}
      {provider !== 'brevo' && isConnected && (
        <Checkbox
          label="Ajouter aussi un tag au nom du résultat"
          checked={chosen.tag_by_result}
          onChange={(event) => put({ ...chosen, tag_by_result: event.currentTarget.checked })}
        />
      )}
    </ProviderCard>
  )
}
