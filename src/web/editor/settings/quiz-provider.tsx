import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { QuizSwitches } from '#contract/integrations.ts'
import { asksForEmail } from '#domain/consent.ts'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import type { ConsentMode, ProviderName } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { accountStatusQuery } from '#web/integrations/integration-queries.ts'
import { NoEmailNote } from '#web/integrations/no-email-note.tsx'
import { ProviderCard } from '#web/integrations/provider-card.tsx'
import { sentenceOf } from '#web/integrations/use-alerted.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useLatest } from '#web/ui/use-latest.ts'
import { ConsentDialog, changeConsent } from './consent-dialog.tsx'
import { EarlierParticipants } from './earlier-participants.tsx'
import { FieldName } from './field-name.tsx'
import { useSwitch } from './use-switch.ts'

/** One tool of a quiz: its switch, which needs a connected account, and the field for the result. */
export const QuizProvider = ({
  provider,
  session,
  draft,
  switches,
  asksFirst,
  onAnswered,
}: {
  provider: ProviderName
  session: DraftSession
  draft: EditorDraft
  switches: QuizSwitches
  /** No tool of the quiz was ever on: the kind of consent is asked first. */
  asksFirst: boolean
  onAnswered: () => void
}) => {
  const { quiz } = draft
  const label = PROVIDER_LABELS[provider]
  const account = useQuery(accountStatusQuery(provider))
  const { data: status, error } = account
  const { chosen, put, isBusy } = useSwitch(quiz.id, provider, {
    stored: switches[provider],
    prepare: session.flush,
  })
  const latest = useLatest(chosen)
  const [isAsking, setAsking] = useState(false)
  const isConnected = status?.isConnected ?? false
  const toggle = (enabled: boolean): void => {
    if (enabled && asksFirst) setAsking(true)
    else put({ enabled })
  }
  const answer = (mode: ConsentMode): void => {
    setAsking(false)
    changeConsent(session, { consent_mode: mode })
    onAnswered()
    put({ enabled: true })
  }
  return (
    <ProviderCard title={label} level={2} status={status}>
      <Switch
        label={`Envoyer les participants à ${label}`}
        checked={chosen.enabled}
        disabled={!isConnected}
        aria-busy={isBusy || undefined}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
      {!status && error && (
        <LoadFailure
          text={sentenceOf(error, `Votre compte ${label} n’a pas pu être lu.`)}
          query={account}
        />
      )}
      {isAsking && (
        <ConsentDialog label={label} onChoose={answer} onClose={() => setAsking(false)} />
      )}
      {chosen.enabled && !asksForEmail(draft.questions) && <NoEmailNote />}
      {status && !isConnected && (
        <p className="text-sm text-ink-2">
          Connectez d’abord votre compte {label} dans les{' '}
          <Link to="/settings" className="text-brand underline">
            paramètres
          </Link>
          .
        </p>
      )}
      {/* For the stored switch only: a query while it is being stored would get the previous state. */}
      {switches[provider].enabled && isConnected && (
        <EarlierParticipants provider={provider} quiz={quiz} />
      )}
      {provider !== 'systemio' && (
        <FieldName
          provider={provider}
          quiz={quiz}
          onSaved={() => {
            // The server creates the field of the new name; a failure is shown.
            if (latest.current.enabled) put({})
            return session.refresh()
          }}
        />
      )}
      {provider !== 'brevo' && isConnected && (
        <Checkbox
          label="Ajouter aussi un tag au nom du résultat"
          checked={chosen.tag_by_result}
          onChange={(event) => put({ tag_by_result: event.currentTarget.checked })}
        />
      )}
    </ProviderCard>
  )
}
