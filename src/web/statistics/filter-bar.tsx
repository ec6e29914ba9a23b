import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { Figures } from '#contract/figures.ts'
import { MOST_FILTER_ANSWERS } from '#domain/filter-choices.ts'
import { writeQuery } from '#domain/parameters.ts'
import { filteredParameters, MOST_FILTER_PARAMETERS } from '#domain/sources.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { Button } from '#web/ui/button.tsx'
import { CONTROL, Field } from '#web/ui/field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  answersOf,
  countFilters,
  type Filters,
  parametersOf,
  withAnswer,
  withParameter,
} from './filters.ts'
import { parameterTitle } from './source-words.ts'

type Props = {
  filters: Filters
  choices: Figures['choices']
  /** Those of the participants that the filters leave. */
  sources: Figures['sources']
  onChange: (filters: Filters) => void
}

/** The filters of the screen. */
export const FilterBar = ({ filters, choices, sources, onChange }: Props) => {
  // Days have a picker of their own.
  const count = countFilters({ ...filters, from: undefined, to: undefined })
  const answers = answersOf(filters)
  const asked = parametersOf(filters)
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
          label="Email"
          hint="Début de l’adresse, du nom avant @ ou du domaine."
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
        {choices.questions.length > 0 && answers.length < MOST_FILTER_ANSWERS && (
          <Choice
            label="Réponse donnée"
            none={answers.length === 0 ? 'Toutes les réponses' : 'Ajouter une réponse'}
            value={undefined}
            groups={choices.questions.map((question) => ({
              label: question.text,
              options: question.answers.filter(({ id }) => !answers.includes(id)),
            }))}
            onChange={(id) => onChange(withAnswer(filters, id, true))}
          />
        )}
        {sources.length > 0 && asked.length < MOST_FILTER_PARAMETERS && (
          <Choice
            label="Source"
            none={asked.length === 0 ? 'Toutes les sources' : 'Ajouter une source'}
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
              if (parameter) onChange(withParameter(filters, parameter, true))
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
}) => (
  <Field label={label}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        className={`${CONTROL} h-10`}
      >
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
