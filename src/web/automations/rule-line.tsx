import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { ListedAutomation } from '#contract/automations.ts'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import { TestForm } from '#web/deliveries/test-form.tsx'
import { quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { useAlerted } from '#web/integrations/use-alerted.ts'
import { laterClient } from '#web/later-api/later-client.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { automationsQuery } from './automation-queries.ts'

/** One rule in a sentence, tried with an address, or removed. */
export const RuleLine = ({ quizId, rule }: { quizId: string; rule: ListedAutomation }) => {
  const { id: automationId, provider, sentence, is_orphan } = rule
  const title = useId()
  const queries = useQueryClient()
  const { confirm } = useDialogs()
  const { run, isBusy } = useAlerted()
  const { data: switches } = useQuery(quizSwitchesQuery(quizId))
  const tool = PROVIDER_LABELS[provider]
  const remove = async (): Promise<void> => {
    const question = `Supprimer cette règle ? « ${sentence}. » Ce qui a déjà été ajouté reste dans ${tool}.`
    if (!(await confirm(question, { confirm_label: 'Supprimer', danger: true }))) return
    await run(
      async () => {
        await laterClient.automations.remove({ id: quizId, automationId })
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
        {is_orphan && <Badge tone="neutral">Supprimé du quiz</Badge>}
      </div>
      {is_orphan && (
        <p className="text-sm text-ink-2">
          La règle vaut encore pour ceux qui répondent, ou ont répondu, à une version qui l’avait.
        </p>
      )}
      {switches && !switches[provider].enabled && (
        <p className="text-sm text-ink-2">
          Ce quiz n’envoie pas ses participants à {tool} : activez-le sous « Intégrations ».
        </p>
      )}
      <TestForm quizId={quizId} provider={provider} automationId={automationId} summary="Essayer" />
      <Button variant="ghost" busy={isBusy} className="self-start" onClick={() => void remove()}>
        Supprimer
      </Button>
    </li>
  )
}
