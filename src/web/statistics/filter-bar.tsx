import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { Figures } from '#contract/figures.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { Button } from '#web/ui/button.tsx'
import { CONTROL, Field } from '#web/ui/field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { countFilters, type Filters } from './filters.ts'

type Props = {
  filters: Filters
  error: string | undefined
  choices: Figures['choices']
  onChange: (filters: Filters) => void
}

/** The filters of the screen. */
export const FilterBar = ({ filters, error, choices, onChange }: Props) => {
  const count = countFilters(filters)
  const [isOpen, setOpen] = useState(count > 0)
  const set = (name: keyof Filters) => (value: string) => onChange({ ...filters, [name]: value })
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-xl border border-line"
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
        {choices.questions.length > 0 && (
          <Choice
            label="Réponse donnée"
            none="Toutes les réponses"
            value={filters.answer}
            groups={choices.questions.map(({ text, answers }) => ({
              label: text,
              options: answers,
            }))}
            onChange={set('answer')}
          />
        )}
        <TextField
          label="À partir du"
          type="date"
          value={filters.from ?? ''}
          onChange={(event) => set('from')(event.currentTarget.value)}
        />
        <TextField
          label="Jusqu’au"
          type="date"
          value={filters.to ?? ''}
          error={error}
          onChange={(event) => set('to')(event.currentTarget.value)}
        />
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
            <option key={id} value={id}>
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
