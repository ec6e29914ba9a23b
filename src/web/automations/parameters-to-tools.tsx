import { useQuery } from '@tanstack/react-query'
import type { QuizSwitches } from '#contract/integrations.ts'
import { PROVIDER_LABELS, parameterFieldOf } from '#domain/integrations.ts'
import { UTM_NAMES } from '#domain/parameters.ts'
import type { Quiz } from '#domain/quiz.ts'
import { PROVIDERS, type ProviderName } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { useSwitch } from '#web/editor/settings/use-switch.ts'
import { quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

type Place = { session: DraftSession; quiz: Quiz }

/** Which of the tools that are on get the parameters too, and into which of their fields. */
export const ParametersToTools = ({ session, quiz }: Place) => {
  const { data: switches } = useQuery(quizSwitchesQuery(quiz.id))
  const on = PROVIDERS.filter((provider) => switches?.[provider].enabled)
  if (!switches || on.length === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-xl border border-line p-4">
      <legend className="px-1 text-sm font-semibold">Les envoyer aussi à vos outils</legend>
      {on.map((provider) => (
        <ToTool
          key={provider}
          session={session}
          quiz={quiz}
          provider={provider}
          stored={switches[provider]}
        />
      ))}
    </fieldset>
  )
}

const ToTool = ({
  session,
  quiz,
  provider,
  stored,
}: Place & { provider: ProviderName; stored: QuizSwitches[ProviderName] }) => {
  const { chosen, put, isBusy } = useSwitch(quiz.id, provider, { stored, prepare: session.flush })
  const hint = `parameters-to-${provider}`
  const fields = [...UTM_NAMES, ...quiz.parameters].map((name) => parameterFieldOf(provider, name))
  return (
    <div>
      <Checkbox
        label={`Dans des champs de ${PROVIDER_LABELS[provider]}`}
        checked={chosen.sends_parameters}
        aria-describedby={hint}
        aria-busy={isBusy || undefined}
        onChange={(event) => put({ sends_parameters: event.currentTarget.checked })}
      />
      <p id={hint} className="text-sm wrap-anywhere text-ink-2">
        Champs {fields.join(', ')}. Un champ qui manque est créé dès qu’un participant en a besoin.
      </p>
    </div>
  )
}
