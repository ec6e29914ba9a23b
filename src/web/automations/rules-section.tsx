import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { ListedAutomation } from '#contract/forwarding/automations.ts'
import { LIMITS, PROVIDERS } from '#domain/common/vocabulary.ts'
import { readDryRunSubject } from '#domain/deliveries/dry-run.ts'
import { isFeminineLabel, labelNoun } from '#domain/deliveries/enrolment-kinds.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { TestForm } from '#web/deliveries/test-form.tsx'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { accountStatusQuery, quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { failureText, useAlertOnFailure } from '#web/integrations/use-alert-on-failure.ts'
import { ConnectButton, useToolConnection } from '#web/integrations/use-tool-connection.tsx'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { automationsQuery } from './automation-queries.ts'
import { DryRunDisclosure } from './dry-run.tsx'
import { effectOf } from './dry-run-labels.ts'
import { RuleForm } from './rule-form.tsx'
import { RulesPerResult } from './rules-per-result.tsx'

/** Renders one rule as a sentence, with buttons to try and to remove it. */
const RuleLine = ({ quiz, rule }: { quiz: Pick<Quiz, 'id' | 'type'>; rule: ListedAutomation }) => {
  const quizId = quiz.id
  const { id: automationId, provider, sentence, is_orphan } = rule
  const subject = readDryRunSubject(rule)
  const title = useId()
  const queries = useQueryClient()
  const { confirm } = useDialogs()
  const { run, isBusy } = useAlertOnFailure()
  const { data: switches } = useQuery(quizSwitchesQuery(quizId))
  const tool = PROVIDER_LABELS[provider]
  const remove = async (): Promise<void> => {
    const question = `Supprimer cette règle ? « ${sentence}. » Ce qui a déjà été ajouté reste dans ${tool}.`
    if (!(await confirm(question, { confirm_label: 'Supprimer', danger: true }))) return
    await run(
      async () => {
        await lazyClient.automations.remove({ id: quizId, automationId })
        document.querySelector('h1')?.focus({ preventScroll: true })
        await queries.invalidateQueries(automationsQuery(quizId))
        return undefined
      },
      { failure: 'La règle n’a pas pu être supprimée.' },
    )
  }
  return (
    <li aria-labelledby={title} className="flex flex-col gap-2 rounded-xl bg-card p-4 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 id={title} className="min-w-0 flex-1 basis-60 text-base wrap-anywhere">
          {sentence}
        </h3>
        {is_orphan && <Badge tone="neutral">Supprimé du {quizNoun(quiz)}</Badge>}
      </div>
      {is_orphan && (
        <p className="text-sm text-ink-2">
          La règle vaut encore pour ceux qui répondent, ou ont répondu, à une version qui l’avait.
        </p>
      )}
      {rule.label_kind !== null && rule.vendor_id === null && (
        <p className="text-sm text-ink-2">
          {`Le compte ${tool} a changé : ajoutez de nouveau cette règle ci-dessous, avec ${isFeminineLabel(provider, rule.label_kind) ? 'une' : 'un'} ${labelNoun(provider, rule.label_kind)} du nouveau compte.`}
        </p>
      )}
      {switches && !switches[provider].enabled && (
        <p className="text-sm text-ink-2">
          Ce {quizNoun(quiz)} n’envoie pas ses participants à {tool} : activez-le sous «
          Intégrations ».
        </p>
      )}
      {subject && (
        <DryRunDisclosure
          quizId={quizId}
          subject={subject}
          effect={effectOf(provider, rule.label_kind)}
        />
      )}
      <TestForm quizId={quizId} provider={provider} automationId={automationId} summary="Tester" />
      <Button variant="ghost" busy={isBusy} className="self-start" onClick={() => void remove()}>
        Supprimer
      </Button>
    </li>
  )
}

/** Renders a sentence for each rule about labels of a tool, and the form that adds one. */
export const RulesSection = ({
  draft,
  flush,
  notify,
}: {
  draft: EditorDraft
  /** Saves pending edits, so that a rule can refer to them. */
  flush: () => Promise<void>
  /** Shows a sentence as a toast. */
  notify: (text: string) => void
}) => {
  const { id } = draft.quiz
  const { connect, dialog } = useToolConnection({
    quiz_id: id,
    screen: 'automatisations',
    onConnected: notify,
  })
  const { data, error } = useQuery(automationsQuery(id))
  const kit = useQuery(accountStatusQuery('convertkit'))
  const systemio = useQuery(accountStatusQuery('systemio'))
  const brevo = useQuery(accountStatusQuery('brevo'))
  const statuses = { convertkit: kit, systemio, brevo }
  const isKnown = PROVIDERS.every((provider) => statuses[provider].data)
  const unread = PROVIDERS.filter(
    (provider) => !statuses[provider].data && statuses[provider].error,
  )
  const connected = PROVIDERS.filter((provider) => statuses[provider].data?.isConnected)
  const refused = PROVIDERS.filter((provider) => statuses[provider].data?.needs_attention)
  const rules = data?.automations ?? []
  return (
    <section aria-labelledby="rules" className="flex flex-col gap-4">
      <div>
        <div className="flex items-center justify-between gap-2">
          <h2 id="rules" tabIndex={-1} className="text-lg font-semibold">
            Tags, listes et inscriptions
          </h2>
          <HelpLink about="tags et règles" page="tags-et-regles" />
        </div>
        <p className="text-sm text-ink-2">
          Selon le résultat ou une réponse, chaque participant envoyé reçoit un tag ou rejoint, dans
          votre outil, une liste, un cours, une communauté ou une séquence. Une règle vaut dès le
          prochain envoi.
        </p>
      </div>
      {!data && error && (
        <p role="alert" className="text-sm text-bad">
          {failureText(error, 'Les règles n’ont pas pu être chargées.')}
        </p>
      )}
      {!data && !error && (
        <p role="status" className="appear-late text-sm text-ink-2">
          Chargement des règles…
        </p>
      )}
      {unread.map((provider) => (
        <LoadFailure
          key={provider}
          text={`${PROVIDER_LABELS[provider]} : ${failureText(statuses[provider].error, 'votre compte n’a pas pu être lu.')}`}
          query={statuses[provider]}
        />
      ))}
      {refused.map((provider) => (
        <div
          key={provider}
          className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-wash p-3 text-sm text-ink"
        >
          <p role="status" className="min-w-0 flex-1 basis-60">
            {PROVIDER_LABELS[provider]} refuse votre compte : les participants attendent.
          </p>
          <ConnectButton provider={provider} isConnected connect={connect} next_id="rules" />
        </div>
      ))}
      {rules.length > 0 && (
        <ul className="flex flex-col gap-3">
          {rules.map((rule) => (
            <RuleLine key={rule.id} quiz={draft.quiz} rule={rule} />
          ))}
        </ul>
      )}
      {isKnown && connected.length === 0 && (
        <div className="flex flex-col gap-3 rounded-xl border border-dashed border-line p-4">
          <p className="text-sm text-ink-2">
            Connectez d’abord Kit, Systeme.io ou Brevo : leurs tags, leurs listes et leurs cours
            seront proposés ici.
          </p>
          <div className="flex flex-wrap gap-2">
            {PROVIDERS.map((provider) => (
              <ConnectButton
                key={provider}
                provider={provider}
                isConnected={false}
                connect={connect}
                next_id="rules"
              />
            ))}
          </div>
        </div>
      )}
      {dialog}
      {data && connected.length > 0 && rules.length < LIMITS.automations_per_quiz && (
        <>
          <RulesPerResult draft={draft} rules={rules} connected={connected} flush={flush} />
          <RuleForm draft={draft} connected={connected} flush={flush} />
        </>
      )}
      {rules.length >= LIMITS.automations_per_quiz && (
        <p className="text-sm text-ink-2">
          Un {quizNoun(draft.quiz)} a au plus {LIMITS.automations_per_quiz} automatisations.
        </p>
      )}
    </section>
  )
}
