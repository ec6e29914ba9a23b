import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import type { QuizSwitches } from '#contract/integrations.ts'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS, parameterFieldOf } from '#domain/deliveries/integrations.ts'
import { publicPath } from '#domain/questionnaire/access.ts'
import { parameterNamesError, UTM_NAMES, writeQuery } from '#domain/questionnaire/parameters.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { useAccessField } from '#web/editor/draft/use-access-field.ts'
import type { ParsedInput } from '#web/editor/draft/use-opening-field.ts'
import { quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { useToolSwitch } from '#web/integrations/use-tool-switch.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

type Props = { session: DraftSession; quiz: Quiz }

/** Lets the creator choose which active tools also receive the parameters, and in which fields. */
const ParametersToTools = ({ session, quiz }: Props) => {
  const { data: switches } = useQuery(quizSwitchesQuery(quiz.id))
  const activeProviders = PROVIDERS.filter((provider) => switches?.[provider].enabled)
  if (!switches || activeProviders.length === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-xl border border-line p-4">
      <legend className="px-1 text-sm font-semibold">Les envoyer aussi à vos outils</legend>
      {activeProviders.map((provider) => (
        <ParametersToTool
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

const ParametersToTool = ({
  session,
  quiz,
  provider,
  stored,
}: Props & { provider: ProviderName; stored: QuizSwitches[ProviderName] }) => {
  const { chosen, put, isBusy } = useToolSwitch(quiz.id, provider, {
    stored,
    prepare: session.flush,
  })
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

const readNames = (typed: string): string[] => typed.split(/[\s,;]+/).filter((name) => name !== '')

const parseNames = (typed: string): ParsedInput<string[]> => {
  const names = readNames(typed)
  const reason = parameterNamesError(names)
  return reason === undefined ? { value: names } : { error: reason }
}

/** Returns an example of an address with a campaign source, and a value for each declared name. */
const exampleOf = (quiz: Pick<Quiz, 'id' | 'slug' | 'parameters'>): string =>
  `${window.location.origin}${publicPath(quiz)}?${writeQuery([
    ['utm_source', 'newsletter'],
    ...quiz.parameters.map((name) => [name, 'exemple'] as const),
  ])}`

/**
 * Lets the creator choose which parameters of the page's address are stored with each participant. A change applies
 * at once.
 */
export const ParametersSection = ({ session, quiz }: { session: DraftSession; quiz: Quiz }) => {
  const { value, error, state, type, save } = useAccessField(session, 'parameters', {
    show: (names) => names.join(', '),
    parse: parseNames,
  })
  const { isCopied, copy } = useCopy()
  const example = exampleOf(quiz)
  return (
    <section aria-labelledby="parameters" className="flex flex-col gap-2 border-t border-line pt-4">
      <div className="flex items-center justify-between gap-2">
        <h3 id="parameters" className="font-semibold">
          Paramètres de l’adresse
        </h3>
        <HelpLink about="provenance des participants" page="partager#un-lien-par-campagne" />
      </div>
      <p className="text-sm text-ink-2">
        Les paramètres utm_source, utm_medium, utm_campaign, utm_term et utm_content d’un lien sont
        enregistrés avec chaque participant : vos statistiques disent d’où ils viennent. Ajoutez-en
        d’autres si vos liens en ont. Ils sont dans les exports et les webhooks.
      </p>
      <TextField
        label="Autres paramètres à enregistrer"
        hint="Dix au plus, séparés par des virgules : lettres minuscules sans accent, chiffres et _. S’applique tout de suite."
        value={value}
        {...(error && { error })}
        placeholder="ref, parrain"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
      <p role="status" className="min-h-5 text-sm text-ink-2">
        {state}
      </p>
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="min-w-0 wrap-anywhere text-ink-2">{example}</span>
        <Button
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => void copy(example)}
        >
          {isCopied ? 'Copié' : 'Copier cet exemple'}
        </Button>
      </div>
      <ParametersToTools session={session} quiz={quiz} />
    </section>
  )
}
