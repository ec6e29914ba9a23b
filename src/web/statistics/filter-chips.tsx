import { X } from 'lucide-react'
import { useRef } from 'react'
import type { Figures } from '#contract/figures.ts'
import { MOST_FILTER_ANSWERS } from '#domain/filter-choices.ts'
import { answersOf, chipsOf, type Filters } from './filters.ts'

type FilterChipsProps = {
  filters: Filters
  choices: Figures['choices']
  onChange: (filters: Filters) => void
}

/** The filters that hold, each of which can be taken off; the focus then goes to the next one, else to the title. */
export const FilterChips = ({ filters, choices, onChange }: FilterChipsProps) => {
  const list = useRef<HTMLUListElement>(null)
  const chips = chipsOf(filters, choices)
  if (chips.length === 0) return null

  const remove = (rank: number, rest: Filters): void => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const next = buttons[rank + 1] ?? buttons[rank - 1] ?? document.querySelector('h1')
    next?.focus({ preventScroll: true })
    onChange(rest)
  }
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <ul ref={list} aria-label="Filtres" className="flex flex-wrap gap-2">
        {chips.map(({ key, text, rest }, rank) => (
          <li key={key} className="max-w-full">
            <button
              type="button"
              aria-label={`Retirer le filtre « ${text} »`}
              onClick={() => remove(rank, rest)}
              className="inline-flex min-h-9 max-w-full items-center gap-2 rounded-full bg-brand-wash px-3 py-1 text-left hover:bg-press pointer-coarse:min-h-11"
            >
              <span className="min-w-0 wrap-anywhere" dir="auto">
                {text}
              </span>
              <X aria-hidden="true" className="size-4 shrink-0 text-ink-2" />
            </button>
          </li>
        ))}
      </ul>
      {answersOf(filters).length >= MOST_FILTER_ANSWERS && (
        <p className="text-xs text-ink-3">
          Cinq réponses au plus : retirez-en une pour en choisir une autre.
        </p>
      )}
    </div>
  )
}
