import { useQuery } from '@tanstack/react-query'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import { LIMITS, PROVIDERS } from '#domain/vocabulary.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { accountStatusQuery } from '#web/integrations/integration-queries.ts'
import { sentenceOf } from '#web/integrations/use-alerted.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { automationsQuery } from './automation-queries.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleLine } from './rule-line.tsx'

/** Who gets which tag or list: a sentence for each rule, and how to add one. */
export const RulesSection = ({
  draft,
  flush,
}: {
  draft: EditorDraft
  /** Saves what is not saved yet, so that a rule can be about it. */
  flush: () => Promise<void>
}) => {
  const { id } = draft.quiz
  const { data, error } = useQuery(automationsQuery(id))
  const kit = useQuery(accountStatusQuery('convertkit'))
  const systemio = useQuery(accountStatusQuery('systemio'))
  const brevo = useQuery(accountStatusQuery('brevo'))
  const statuses = { convertkit: kit, systemio, brevo }
  const isKnown = PROVIDERS.every((one) => statuses[one].data)
  const unread = PROVIDERS.filter((one) => !statuses[one].data && statuses[one].error)
  const connected = PROVIDERS.filter((one) => statuses[one].data?.isConnected)
  const refused = PROVIDERS.filter((one) => statuses[one].data?.needs_attention)
  const rules = data?.automations ?? []
  return (
    <section aria-labelledby="rules" className="flex flex-col gap-4">
      <div>
        <h2 id="rules" className="text-lg font-semibold">
          Tags et listes
        </h2>
        <p className="text-sm text-ink-2">
          Selon le résultat ou une réponse, chaque participant transmis reçoit un tag dans Kit ou
          Systeme.io, ou rejoint une liste dans Brevo. Une règle vaut dès le prochain envoi.
        </p>
      </div>
      {!data && error && (
        <p role="alert" className="text-sm text-bad">
          {sentenceOf(error, 'Les règles n’ont pas pu être chargées.')}
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
          text={`${PROVIDER_LABELS[provider]} : ${sentenceOf(statuses[provider].error, 'votre compte n’a pas pu être lu.')}`}
          query={statuses[provider]}
        />
      ))}
      {refused.map((provider) => (
        <p key={provider} role="status" className="rounded-lg bg-warn-wash p-3 text-sm text-ink">
          {PROVIDER_LABELS[provider]} refuse votre compte : les participants attendent. Voyez les{' '}
          <TextLink to="/settings">paramètres</TextLink>.
        </p>
      ))}
      {rules.length > 0 && (
        <ul className="flex flex-col gap-3">
          {rules.map((rule) => (
            <RuleLine key={rule.id} quizId={id} rule={rule} />
          ))}
        </ul>
      )}
      {isKnown && connected.length === 0 && (
        <p className="rounded-xl border border-dashed border-line p-4 text-sm text-ink-2">
          Connectez d’abord Kit, Systeme.io ou Brevo dans les{' '}
          <TextLink to="/settings">paramètres</TextLink> : leurs tags et leurs listes seront
          proposés ici.
        </p>
      )}
      {data && connected.length > 0 && rules.length < LIMITS.automations_per_quiz && (
        <RuleForm draft={draft} connected={connected} flush={flush} />
      )}
      {rules.length >= LIMITS.automations_per_quiz && (
        <p className="text-sm text-ink-2">
          Un quiz a au plus {LIMITS.automations_per_quiz} automatisations.
        </p>
      )}
    </section>
  )
}
