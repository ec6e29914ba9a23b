import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_WEBHOOKS, PROVIDERS } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { quizNoun } from '#domain/questionnaire/quiz.ts'
import { TestForm } from '#web/deliveries/test-form.tsx'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { accountStatusQuery, quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { TrialRunLink } from '#web/trial-runs/trial-link.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { AddressForm } from './address-form.tsx'
import { automationsQuery, mailsQuery, webhooksQuery } from './automation-queries.ts'
import { MailsCard } from './mails-card.tsx'
import { ParametersSection } from './parameters-section.tsx'
import { RulesSection } from './rules-section.tsx'
import { WebhookLine } from './webhook-line.tsx'

/** Secrets of webhooks that stay visible until they are hidden, by the id of their webhook. */
export type VisibleSecrets = Record<string, string | undefined>

/** Renders the actions on each participant of a quiz, one sentence each: active tools, tags and lists, webhooks. */
const AutomationsTab = ({
  session,
  draft,
  secrets,
  onSecret,
  notify,
}: {
  session: DraftSession
  draft: EditorDraft
  secrets: VisibleSecrets
  onSecret: (webhook_id: string, secret: string | undefined) => void
  /** Shows a sentence as a toast. */
  notify: (text: string) => void
}) => {
  const { quiz } = draft
  const queries = useQueryClient()
  const { data, error } = useQuery(webhooksQuery(quiz.id))
  // The cards are shown together, so that no button moves while it is pressed.
  const cards = useQueries({
    queries: [
      quizSwitchesQuery(quiz.id),
      automationsQuery(quiz.id),
      mailsQuery(quiz.id),
      ...PROVIDERS.map(accountStatusQuery),
    ],
  })
  const isLoading = cards.some(({ isFetched }) => !isFetched)
  const [initialSecrets] = useState(secrets)
  const add = async (url: string): Promise<void> => {
    const { webhook, secret } = await lazyClient.webhooks.add({ id: quiz.id, body: { url } })
    onSecret(webhook.id, secret)
    await queries.invalidateQueries(webhooksQuery(quiz.id))
  }
  if (!data && error)
    return (
      <p role="alert" className="text-bad">
        {failureText(error, 'Les automatisations n’ont pas pu être chargées.')}
      </p>
    )
  if (!data || isLoading) return <Loading text="Chargement..." />
  const { webhooks } = data
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <TrialRunLink quiz={quiz} />
      <ToolSentences quizId={quiz.id} />
      <RulesSection draft={draft} flush={session.flush} notify={notify} />
      <div className="flex items-center justify-between gap-2">
        <h2 className="mt-4 text-lg font-semibold">Webhooks</h2>
        <HelpLink about="webhooks" page="webhooks" />
      </div>
      <p className="-mt-4 text-sm text-ink-2">
        Chaque participant est envoyé aux adresses de cette liste, avec ses réponses et son
        résultat. Les envois sont signés (Standard Webhooks), et refaits tant que l’adresse ne
        répond pas.
      </p>
      {webhooks.length === 0 ? (
        <Message
          title="Aucun webhook"
          text="Ajoutez l’adresse d’un de vos outils : il saura tout de suite ce que chaque participant a répondu."
        />
      ) : (
        <ul className="flex flex-col gap-4">
          {webhooks.map((webhook) => (
            <WebhookLine
              key={webhook.id}
              quizId={quiz.id}
              webhook={webhook}
              secret={secrets[webhook.id]}
              isNewSecret={secrets[webhook.id] !== initialSecrets[webhook.id]}
              onSecret={(secret) => onSecret(webhook.id, secret)}
            />
          ))}
        </ul>
      )}
      {webhooks.length < MAX_WEBHOOKS ? (
        <AddressForm label="Adresse d’un nouveau webhook" action="Ajouter" save={add} />
      ) : (
        <p className="text-sm text-ink-2">
          Un {quizNoun(quiz)} a au plus {MAX_WEBHOOKS} webhooks.
        </p>
      )}
      <MailsCard session={session} quiz={quiz} />
      <ButtonLink to={`/quiz/${quiz.id}/envois`} className="self-start">
        Voir les envois
      </ButtonLink>
      <ParametersSection session={session} quiz={quiz} />
    </div>
  )
}

/** Renders a sentence for each active tool; tools are switched on under « Intégrations ». */
const ToolSentences = ({ quizId }: { quizId: string }) => {
  const { data: switches } = useQuery(quizSwitchesQuery(quizId))
  const activeProviders = PROVIDERS.filter((provider) => switches?.[provider].enabled)
  if (activeProviders.length === 0) return null
  return (
    <ul className="flex flex-col gap-2">
      {activeProviders.map((provider) => (
        <li key={provider} className="flex flex-col gap-2 rounded-xl border border-line p-4">
          <p>
            À chaque participant qui donne son adresse, l’ajouter dans {PROVIDER_LABELS[provider]}{' '}
            avec son résultat.
          </p>
          <TestForm quizId={quizId} provider={provider} />
        </li>
      ))}
    </ul>
  )
}

export default AutomationsTab
