import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedAutomation } from '#contract/forwarding/automations.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { isFeminineLabel, labelNoun } from '#domain/deliveries/enrolment-kinds.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { automationsQuery } from './automation-queries.ts'
import { missingRules } from './rule-per-result.ts'

/** Offers one tag or list for each result, added in one step. Results that already have one are left out. */
export const RulesPerResult = ({
  draft,
  rules,
  connected,
  flush,
}: {
  draft: EditorDraft
  rules: readonly ListedAutomation[]
  connected: readonly ProviderName[]
  flush: () => Promise<void>
}) => {
  const queries = useQueryClient()
  const [busy, setBusy] = useState<ProviderName>()
  const [outcome, setOutcome] = useState('')
  const offers = connected.flatMap((provider) => {
    const missing = missingRules(draft, rules, provider)
    return missing.length > 0 ? [{ provider, missing }] : []
  })
  const { id } = draft.quiz

  const add = async ({ provider, missing }: (typeof offers)[number]): Promise<void> => {
    setBusy(provider)
    setOutcome('')
    let count = 0
    try {
      await flush()
      for (const { result_id, label_name } of missing) {
        await lazyClient.automations.add({ id, body: { provider, result_id, label_name } })
        count++
      }
      setOutcome(`${addedText(count)} pour ${PROVIDER_LABELS[provider]}.`)
    } catch (failure) {
      const reason = failureText(failure, 'Une règle n’a pas pu être ajoutée. Réessayez.')
      setOutcome(count > 0 ? `${addedText(count)}. ${reason}` : reason)
    }
    await queries.invalidateQueries(automationsQuery(id))
    setBusy(undefined)
  }

  if (isSondage(draft.quiz) || draft.results.length < 2) return null
  return (
    <div className="flex flex-col items-start gap-2">
      {offers.map((offer) => {
        const { provider } = offer
        const one = isFeminineLabel(provider, null) ? 'Une' : 'Un'
        return (
          <Button
            key={provider}
            busy={busy === provider}
            disabled={busy !== undefined && busy !== provider}
            onClick={() => void add(offer)}
          >
            {`${one} ${labelNoun(provider)} par résultat dans ${PROVIDER_LABELS[provider]}`}
          </Button>
        )
      })}
      <p role="status" className="text-sm text-ink-2">
        {outcome}
      </p>
    </div>
  )
}

const addedText = (count: number): string =>
  count > 1 ? `${count} règles ajoutées` : `${count} règle ajoutée`
