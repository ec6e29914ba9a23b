import { useId, useState } from 'react'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { isSilent, OPENING_HINTS, openingsFor, SITES, type Site, stepsFor } from './embed-guides.ts'
import {
  type EmbedMode,
  embedSnippet,
  hasNumber,
  OPENING_NUMBERS,
  readNumber,
} from './embed-snippet.ts'
import { Snippet, type SnippetLabels } from './snippet.tsx'

/** Shows the code that embeds a published quiz in another site, and explains where to paste the code. */
export const ShareEmbed = ({ link, quiz }: { link: string; quiz: Pick<Quiz, 'name' | 'type'> }) => {
  const [site, setSite] = useState<Site>('html')
  const [opening, setOpening] = useState<EmbedMode>('inline')
  const [numbers, setNumbers] = useState({
    delay: `${OPENING_NUMBERS.delay.usual}`,
    scroll: `${OPENING_NUMBERS.scroll.usual}`,
  })
  const [has_data_layer, setDataLayer] = useState(false)
  const events_id = useId()
  const openings = openingsFor(site)
  const changeSite = (next: Site): void => {
    setSite(next)
    const [first, ...others] = openingsFor(next)
    if (first && ![first, ...others].some(({ value }) => value === opening)) setOpening(first.value)
  }
  const number = hasNumber(opening) ? readNumber(opening, numbers[opening]) : 0
  const usual = hasNumber(opening) ? OPENING_NUMBERS[opening].usual : 0
  const code = embedSnippet({ opening, number: number ?? usual, has_data_layer }, { link, quiz })
  const labels = opening === 'address' ? ADDRESS_LABELS : CODE_LABELS
  return (
    <section
      aria-labelledby="share-embed"
      className="mt-5 flex flex-col gap-3 border-t border-line pt-4"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 id="share-embed" className="text-sm font-medium">
          Intégrer à un site
        </h3>
        <HelpLink about="intégrer à un site" page="integrer" />
      </div>
      <Select label="Votre site" value={site} options={SITES} onChange={changeSite} />
      <Select
        label="Affichage"
        hint={OPENING_HINTS[opening]}
        value={opening}
        options={openings}
        onChange={setOpening}
      />
      {hasNumber(opening) && (
        <NumberField
          opening={opening}
          text={numbers[opening]}
          isValid={number !== undefined}
          onChange={(text) => setNumbers({ ...numbers, [opening]: text })}
        />
      )}
      {!isSilent(opening) && (
        <div>
          <Checkbox
            label="Ajouter les étapes au dataLayer de la page"
            checked={has_data_layer}
            aria-describedby={events_id}
            onChange={(event) => setDataLayer(event.currentTarget.checked)}
          />
          <p id={events_id} className="text-xs text-ink-3">
            Votre page reçoit les événements quizaine:start, quizaine:page et quizaine:finish, avec
            le rang du résultat mais jamais les réponses ; le dataLayer les donne aussi à Google Tag
            Manager et à vos pixels.
          </p>
        </div>
      )}
      <Snippet code={code} labels={labels} />
      <h4 className="text-sm font-medium">{labels.place}</h4>
      <ol className="list-decimal space-y-1 pl-5 text-sm text-ink-2">
        {stepsFor(site, opening).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

const NUMBER_LABELS = { delay: 'Secondes d’attente', scroll: 'Part de la page défilée, en %' }

const NumberField = ({
  opening,
  text,
  isValid,
  onChange,
}: {
  opening: keyof typeof OPENING_NUMBERS
  text: string
  isValid: boolean
  onChange: (text: string) => void
}) => {
  const { min, max } = OPENING_NUMBERS[opening]
  return (
    <TextField
      label={NUMBER_LABELS[opening]}
      inputMode="numeric"
      maxLength={6}
      value={text}
      error={
        isValid
          ? undefined
          : `Un nombre entier de ${min} à ${max.toLocaleString('fr-FR')}. D’ici là, le code garde ${OPENING_NUMBERS[opening].usual}.`
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type CodeLabels = SnippetLabels & { place: string }
const CODE_LABELS: CodeLabels = {
  field: 'Code à coller',
  place: 'Où coller ce code',
  copy: 'Copier le code',
  copied: 'Code copié',
}
const ADDRESS_LABELS: CodeLabels = {
  field: 'Adresse à coller',
  place: 'Où coller cette adresse',
  copy: 'Copier l’adresse',
  copied: 'Adresse copiée',
}
