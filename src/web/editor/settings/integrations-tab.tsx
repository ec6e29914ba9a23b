import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import type { QuizSwitches } from '#contract/integrations.ts'
import { type ConsentMode, PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { hasEmailQuestion } from '#domain/questionnaire/consent/consent.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import {
  accountStatusQuery,
  earlierQuery,
  quizSwitchesQuery,
  sentFieldsKey,
} from '#web/integrations/integration-queries.ts'
import { NoEmailNote, ProviderCard } from '#web/integrations/provider-card.tsx'
import { failureText, useAlertOnFailure } from '#web/integrations/use-alert-on-failure.ts'
import { ConnectButton, useToolConnection } from '#web/integrations/use-tool-connection.tsx'
import { useToolSwitch } from '#web/integrations/use-tool-switch.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { Checkbox, Switch } from '#web/ui/form/choice-controls.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useLatest } from '#web/ui/use-latest.ts'
import { changeConsent } from './change-consent.ts'
import { ConsentDialog } from './consent-section.tsx'
import { FieldName } from './field-name.tsx'

const SentCard = lazyPart(
  () => import('#web/field-mappings/sent-card.tsx'),
  'L’exemple de contact n’a pas pu être chargé.',
)

/** Shows the tools that participants of a quiz are forwarded to (product 7.13). */
export const IntegrationsTab = ({
  session,
  draft,
  notify,
}: {
  session: DraftSession
  draft: EditorDraft
  /** Shows a sentence as a toast. */
  notify: (text: string) => void
}) => {
  const { quiz } = draft
  const queries = useQueryClient()
  const { connect, dialog } = useToolConnection({
    quiz_id: quiz.id,
    screen: 'integrations',
    onConnected: (text) => {
      notify(text)
      void queries.invalidateQueries({ queryKey: sentFieldsKey(quiz.id) })
    },
  })
  // Remembered for this visit, because a second switch may be clicked while the first is being stored.
  const [isAnswered, setAnswered] = useState(false)
  const query = useQuery(quizSwitchesQuery(quiz.id))
  const { data: switches, error } = query
  // The cards are shown together, so that no switch moves while it is pressed.
  const accounts = useQueries({ queries: PROVIDERS.map(accountStatusQuery) })
  const isLoading = accounts.some(({ isFetched }) => !isFetched)
  if (!switches && error) {
    const text = failureText(error, 'Les intégrations n’ont pas pu être chargées.')
    return <LoadFailure text={text} query={query} />
  }
  if (!switches || isLoading)
    return (
      // As high as the window, so that the parts below are not moved by the cards.
      <div className="min-h-dvh">
        <Loading text="Chargement..." />
      </div>
    )
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <p className="text-sm text-ink-2">
        {`Les participants qui donnent leur adresse email${quiz.consent_mode === 'box' ? ' et cochent la case' : ''} sont ajoutés aux outils activés ici${isSondage(quiz) ? '' : ', avec leur résultat'}.`}
      </p>
      {(['convertkit', 'systemio', 'brevo'] as const).map((provider) => (
        <QuizProvider
          key={provider}
          provider={provider}
          session={session}
          draft={draft}
          switches={switches}
          asksFirst={!switches.has_been_enabled && !isAnswered}
          onAnswered={() => setAnswered(true)}
          connect={connect}
        />
      ))}
      <Suspense fallback={<Loading text="Chargement..." />}>
        <SentCard draft={draft} flush={session.flush} connect={connect} />
      </Suspense>
      {dialog}
    </div>
  )
}

/** Shows one tool of a quiz: its switch, which needs a connected account, and the field for the result. */
const QuizProvider = ({
  provider,
  session,
  draft,
  switches,
  asksFirst,
  onAnswered,
  connect,
}: {
  provider: ProviderName
  session: DraftSession
  draft: EditorDraft
  switches: QuizSwitches
  /** True if no tool of the quiz was ever on; the kind of consent is then asked first. */
  asksFirst: boolean
  onAnswered: () => void
  connect: ReturnType<typeof useToolConnection>['connect']
}) => {
  const { quiz } = draft
  const label = PROVIDER_LABELS[provider]
  const account = useQuery(accountStatusQuery(provider))
  const { data: status, error } = account
  const { chosen, put, isBusy } = useToolSwitch(quiz.id, provider, {
    stored: switches[provider],
    prepare: session.flush,
  })
  const latest = useLatest(chosen)
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const switchId = useId()
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
        id={switchId}
        label={`Envoyer les participants à ${label}`}
        checked={chosen.enabled}
        disabled={!isConnected}
        aria-busy={isBusy || undefined}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
      {!status && error && (
        <LoadFailure
          text={failureText(error, `Votre compte ${label} n’a pas pu être lu.`)}
          query={account}
        />
      )}
      {isAsking && (
        <ConsentDialog label={label} onChoose={answer} onClose={() => setAsking(false)} />
      )}
      {chosen.enabled && !hasEmailQuestion(draft.questions) && <NoEmailNote />}
      {status && !isConnected && (
        <p className="text-sm text-ink-2">Connectez d’abord votre compte {label}.</p>
      )}
      {status && (!isConnected || status.needs_attention) && (
        <ConnectButton
          provider={provider}
          isConnected={isConnected}
          connect={connect}
          next_id={switchId}
        />
      )}
      {/* Rendered for the stored switch only, because a query during the save would return the previous
          state. */}
      {switches[provider].enabled && isConnected && (
        <EarlierParticipants provider={provider} quiz={quiz} />
      )}
      {provider !== 'systemio' && (
        <FieldName
          provider={provider}
          quiz={quiz}
          onSaved={() => {
            // Stores the switch again, so that the server creates the field with the new name.
            if (latest.current.enabled) put({})
            void queries.invalidateQueries({ queryKey: sentFieldsKey(quiz.id) })
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

const CONSENT_DUTY =
  ' Votre questionnaire n’a pas de case à cocher : vous devez pouvoir prouver que ces participants avaient demandé à recevoir vos emails.'

/** Offers to send participants from before the tool was switched on. Renders nothing when there are none. */
const EarlierParticipants = ({ provider, quiz }: { provider: ProviderName; quiz: Quiz }) => {
  const query = earlierQuery(quiz.id)
  const { data } = useQuery(query)
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const { run, isBusy } = useAlertOnFailure()
  const label = PROVIDER_LABELS[provider]
  const count =
    data?.providers.find((candidate) => candidate.provider === provider)?.nb_participants ?? 0
  if (count === 0) return null

  const isAsked = quiz.consent_mode === 'box'
  const shown = count.toLocaleString('fr-FR')
  const them = count > 1 ? `les ${shown} participants existants` : 'le participant existant'
  const send = async (): Promise<void> => {
    const question = `Envoyer ${them} à ${label} ? Vos automatisations ${label} pourront se déclencher pour chacun.${isAsked ? '' : CONSENT_DUTY}`
    if (!(await confirm(question, { confirm_label: 'Envoyer' }))) return
    await run(
      async () => {
        const { nb_sent } = await client.deliveries.sendEarlier({ id: quiz.id, body: { provider } })
        await queryClient.invalidateQueries(query)
        return nb_sent > 1
          ? `${nb_sent.toLocaleString('fr-FR')} participants sont en cours d’envoi à ${label}.`
          : `Le participant est en cours d’envoi à ${label}.`
      },
      { failure: 'Les participants existants n’ont pas pu être envoyés.' },
    )
  }
  return (
    <div className="flex flex-col items-start gap-2 rounded-lg bg-brand-wash p-3 text-sm">
      <p>
        {count > 1
          ? `${shown} participants ont répondu avant l’activation de ${label} et n’y ont pas été envoyés. Ils ont donné leur adresse${isAsked ? ' et leur accord' : ''}.`
          : `Un participant a répondu avant l’activation de ${label} et n’y a pas été envoyé. Il a donné son adresse${isAsked ? ' et son accord' : ''}.`}
      </p>
      <Button busy={isBusy} onClick={send}>
        {`Envoyer aussi ${them}`}
      </Button>
    </div>
  )
}
