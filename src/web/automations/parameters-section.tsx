import { Check, Copy } from 'lucide-react'
import { publicPath } from '#domain/addresses.ts'
import { namesFault, writeQuery } from '#domain/parameters.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { type Parsed, useAccessField } from '#web/editor/settings/use-access-field.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { ParametersToTools } from './parameters-to-tools.tsx'

const readNames = (typed: string): string[] => typed.split(/[\s,;]+/).filter((name) => name !== '')

const parseNames = (typed: string): Parsed<string[]> => {
  const names = readNames(typed)
  const fault = namesFault(names)
  return fault === undefined ? { value: names } : { error: fault }
}

/** An address that says where it was shared, and something for each declared name. */
const exampleOf = (quiz: Pick<Quiz, 'id' | 'slug' | 'parameters'>): string =>
  `${window.location.origin}${publicPath(quiz)}?${writeQuery([
    ['utm_source', 'newsletter'],
    ...quiz.parameters.map((name) => [name, 'exemple'] as const),
  ])}`

/** Which parameters of the page's address are stored with each participant; it applies at once. */
export const ParametersSection = ({ session, quiz }: { session: DraftSession; quiz: Quiz }) => {
  const { value, error, state, type, save } = useAccessField(session, 'parameters', {
    show: (names) => names.join(', '),
    parse: parseNames,
  })
  const { isCopied, copy } = useCopy()
  const example = exampleOf(quiz)
  return (
    <section aria-labelledby="parameters" className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 id="parameters" className="font-semibold">
        Paramètres de l’adresse
      </h3>
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
