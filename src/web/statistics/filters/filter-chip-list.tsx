import { X } from 'lucide-react'
import { useRef } from 'react'
import type { Figures } from '#contract/statistics/figures.ts'
import { listFilterChips } from './filter-chips.ts'
import { type Filters, ID_LIMITS, idsOf } from './filters.ts'

type Props = {
  filters: Filters
  choices: Figures['choices']
  onChange: (filters: Filters) => void
}

/**
 * Renders the active filters with a button to remove each. After a removal the focus goes to the next filter, or to
 * the title.
 */
export const FilterChipList = ({ filters, choices, onChange }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const chips = listFilterChips(filters, choices)
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
      {idsOf(filters, 'answer').length >= ID_LIMITS.answer && (
        <p className="text-xs text-ink-3">
          Cinq réponses au plus : retirez-en une pour en choisir une autre.
        </p>
      )}
      {idsOf(filters, 'tier').length >= ID_LIMITS.tier && (
        <p className="text-xs text-ink-3">
          Cinq paliers au plus : retirez-en un pour en choisir un autre.
        </p>
      )}
    </div>
  )
}
