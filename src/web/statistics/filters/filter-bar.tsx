import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Figures } from '#contract/statistics/figures.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { CONFIRMATION_LABELS, CONFIRMATION_STATES } from '#domain/confirmations/confirmation.ts'
import { writeQuery } from '#domain/questionnaire/parameters.ts'
import { filteredParameters, MAX_FILTER_PARAMETERS } from '#domain/statistics/filter-choices.ts'
import { Button } from '#web/ui/button.tsx'
import { CONTROL, Field, TextField } from '#web/ui/form/text-field.tsx'
import { useBrowsedChoice } from '#web/ui/form/use-browsed-choice.ts'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { CERTIFICATE_LABELS, groupChoices } from './filter-chips.ts'
import {
  countFilters,
  datesError,
  type Filters,
  ID_LIMITS,
  idsOf,
  parametersOf,
  parameterTitle,
  readFilters,
  replaceFilters,
  setIdFilter,
  setParameterFilter,
  setPercentFilter,
  writeFilters,
} from './filters.ts'
import { PercentFields } from './percent-fields.tsx'

/** Pause after typing before a filter applies. */
const FILTER_DELAY_MS = 350

/** Returns the filters of the screen, which are stored in its address. Chosen filters apply after a short pause. */
export const useFilters = () => {
  const [search, setSearch] = useSearchParams()
  const applied = readFilters(search)
  const [chosen, setChosen] = useState<Filters>(applied)
  const wanted = JSON.stringify(writeFilters(chosen))
  const isApplied = wanted === JSON.stringify(writeFilters(applied))
  const error = datesError(chosen)

  useEffect(() => {
    if (isApplied || error) return
    const timer = setTimeout(
      () =>
        setSearch((before) => replaceFilters(before, JSON.parse(wanted) as Filters), {
          replace: true,
        }),
      FILTER_DELAY_MS,
    )
    return () => clearTimeout(timer)
  }, [wanted, isApplied, error, setSearch])

  return { applied, chosen, error, choose: setChosen }
}

type Props = {
  filters: Filters
  choices: Figures['choices']
  /** Parameters of the filtered participants. */
  sources: Figures['sources']
  /** True if participants were asked to confirm their address. */
  hasConfirmations: boolean
  onChange: (filters: Filters) => void
}

/** Renders the filters of the screen. */
export const FilterBar = ({ filters, choices, sources, hasConfirmations, onChange }: Props) => {
  // Days have their own picker.
  const count = countFilters({ ...filters, from: undefined, to: undefined })
  const answers = idsOf(filters, 'answer')
  const tiers = idsOf(filters, 'tier')
  const filtered = parametersOf(filters)
  const groupNames = groupChoices(filters, choices)
  const [isOpen, setOpen] = useState(count > 0)
  const set = (name: keyof Filters) => (value: string) => onChange({ ...filters, [name]: value })
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="min-w-0 grow basis-64 rounded-xl border border-line print:hidden"
    >
      <summary className="flex min-h-11 items-center gap-2 px-4 font-medium">
        <SlidersHorizontal aria-hidden="true" className="size-4 text-ink-2" />
        Filtrer les participants
        {count > 0 && (
          <span className="text-ink-2">
            ({count} filtre{count > 1 && 's'})
          </span>
        )}
      </summary>
      <div className="grid gap-3 border-t border-line p-4 sm:grid-cols-2 lg:grid-cols-3">
        <TextField
          label="Email ou nom"
          hint="Début du nom, du téléphone, de l’adresse ou de son domaine."
          type="search"
          value={filters.email ?? ''}
          maxLength={LIMITS.email}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set('email')(event.currentTarget.value)}
        />
        {choices.results.length > 0 && (
          <Choice
            label="Résultat obtenu"
            none="Tous les résultats"
            value={filters.result}
            groups={[{ options: choices.results.map(({ id, name }) => ({ id, text: name })) }]}
            onChange={set('result')}
          />
        )}
        {choices.questions.length > 0 && answers.length < ID_LIMITS.answer && (
          <Choice
            label="Réponse donnée"
            none={answers.length === 0 ? 'Toutes les réponses' : 'Ajouter une réponse'}
            value={undefined}
            groups={choices.questions.map((question) => ({
              label: question.text,
              options: question.answers.filter(({ id }) => !answers.includes(id)),
            }))}
            onChange={(id) => onChange(setIdFilter(filters, ['answer', id], true))}
          />
        )}
        {choices.dimensions.length > 0 && tiers.length < ID_LIMITS.tier && (
          <Choice
            label="Palier d’une dimension"
            none={tiers.length === 0 ? 'Tous les paliers' : 'Ajouter un palier'}
            value={undefined}
            groups={choices.dimensions.map((dimension) => ({
              label: dimension.name,
              options: dimension.tiers.filter(({ id }) => !tiers.includes(id)),
            }))}
            onChange={(id) => onChange(setIdFilter(filters, ['tier', id], true))}
          />
        )}
        {choices.percents && (
          <PercentFields
            subjects={choices.percents}
            filter={filters.percent}
            onAdd={(range) => onChange(setPercentFilter(filters, range, true))}
          />
        )}
        {choices.has_certificates && (
          <Choice
            label="Attestation"
            none="Avec ou sans attestation"
            value={filters.certificate}
            groups={[
              {
                options: Object.entries(CERTIFICATE_LABELS).map(([id, text]) => ({ id, text })),
              },
            ]}
            onChange={set('certificate')}
          />
        )}
        {(hasConfirmations || filters.confirmation) && (
          <Choice
            label="Confirmation de l’adresse"
            none="Confirmée ou non"
            value={filters.confirmation}
            groups={[
              {
                options: CONFIRMATION_STATES.map((id) => ({
                  id,
                  text: CONFIRMATION_LABELS[id],
                })),
              },
            ]}
            onChange={set('confirmation')}
          />
        )}
        {(choices.campaigns || filters.campaign) && (
          <Choice
            label="Campagne"
            none="Avec ou sans invitation"
            value={filters.campaign}
            groups={[
              { options: (choices.campaigns ?? []).map(({ id, name: text }) => ({ id, text })) },
            ]}
            onChange={set('campaign')}
          />
        )}
        {(groupNames.length > 0 || filters.group) && (
          <Choice
            label="Groupe"
            none="Tous les groupes"
            value={filters.group}
            groups={[{ options: groupNames.map((name) => ({ id: name, text: name })) }]}
            onChange={set('group')}
          />
        )}
        {sources.length > 0 && filtered.length < MAX_FILTER_PARAMETERS && (
          <Choice
            label="Source"
            none={filtered.length === 0 ? 'Toutes les sources' : 'Ajouter une source'}
            value={undefined}
            groups={sources.map(({ name, values }) => ({
              label: parameterTitle(name),
              options: values.map(({ value }) => ({
                id: writeQuery([[name, value]]),
                text: value,
              })),
            }))}
            onChange={(id) => {
              const [parameter] = filteredParameters(id)
              if (parameter) onChange(setParameterFilter(filters, parameter, true))
            }}
          />
        )}
        <div className="flex items-end">
          <Button onClick={() => onChange({})}>Effacer les filtres</Button>
        </div>
      </div>
    </details>
  )
}

type Group = { label?: string; options: { id: string; text: string }[] }

const Choice = ({
  label,
  none,
  value = '',
  groups,
  onChange,
}: {
  label: string
  none: string
  value: string | undefined
  groups: Group[]
  onChange: (value: string) => void
}) => {
  const { isBrowsing, attributes: browsing } = useBrowsedChoice(value, onChange)
  // The list disappears with the last filter that can be added.
  const ref = useFocusFallback<HTMLSelectElement>(
    (list) => list.closest('details')?.querySelector('summary') ?? null,
  )
  return (
    <Field label={label} {...(isBrowsing && { hint: 'Entrée ou Tab applique ce filtre.' })}>
      {(attributes) => (
        <select {...attributes} {...browsing} ref={ref} className={`${CONTROL} h-10`}>
          <option value="">{none}</option>
          {groups.map((group) => {
            const options = group.options.map(({ id, text }) => (
              <option key={id} value={id} dir="auto">
                {text}
              </option>
            ))
            return group.label === undefined ? (
              options
            ) : (
              <optgroup key={group.options[0]?.id} label={group.label}>
                {options}
              </optgroup>
            )
          })}
        </select>
      )}
    </Field>
  )
}
