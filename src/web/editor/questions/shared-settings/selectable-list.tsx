import { Check } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Selection, SelectionAction } from './selection.ts'

/** Row of the list: its text and its present settings. */
export type ListRow = { id: string; text: string; settings: string }

const STEPS: Partial<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * Shows rows of which several can be selected. Arrows move the focus, Space or a press toggles a row, Shift with an arrow
 * or a press selects a range, and Ctrl+A selects all rows.
 */
export const SelectableList = ({
  id,
  label,
  rows,
  selection,
  select,
}: {
  id: string
  label: string
  rows: readonly ListRow[]
  selection: Selection
  select: (action: SelectionAction) => void
}) => {
  const list = useRef<HTMLDivElement>(null)
  const { ids, current } = selection
  const focusCurrent = (): void =>
    list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  // Moves the focus only inside the list, so that a selection by a button leaves the focus on the button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the current row
  useEffect(() => {
    if (list.current?.contains(document.activeElement)) focusCurrent()
  }, [current])

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    const step = STEPS[key]
    const index = rows.findIndex((row) => row.id === current)
    const next = step && rows[Math.max(0, Math.min(index + step, rows.length - 1))]
    if (next && !altKey) select({ type: shiftKey ? 'extended' : 'moved', id: next.id })
    else if (key === ' ') select({ type: shiftKey ? 'extended' : 'toggled', id: current })
    else if (key === 'a' && (ctrlKey || metaKey)) select({ type: 'all_toggled' })
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget) focusCurrent()
      }}
      className="flex max-h-[40dvh] min-h-24 flex-col overflow-y-auto rounded-lg border border-field p-1"
    >
      {rows.map(({ id: row_id, text, settings }) => {
        const isSelected = ids.has(row_id)
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of its rows
          <div
            key={row_id}
            role="option"
            aria-selected={isSelected}
            tabIndex={row_id === current ? 0 : -1}
            data-initial-focus={row_id === current || undefined}
            onMouseDown={(event) => {
              // Shift with a press would select the texts.
              if (event.shiftKey) event.preventDefault()
            }}
            onClick={({ shiftKey }) =>
              select({ type: shiftKey ? 'extended' : 'toggled', id: row_id })
            }
            className="flex cursor-pointer items-start gap-2 rounded-md px-2 py-1 text-sm select-none hover:bg-press focus-visible:-outline-offset-2 aria-selected:bg-brand-wash pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <span
              aria-hidden="true"
              className={`mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border pointer-coarse:mt-0 ${isSelected ? 'border-brand bg-brand text-on-brand' : 'border-field'}`}
            >
              {isSelected && <Check className="size-3" />}
            </span>
            <span className="min-w-0 wrap-anywhere">
              <span dir="auto">{text}</span>
              {settings && <span className="block text-xs text-ink-2">{settings}</span>}
            </span>
          </div>
        )
      })}
    </div>
  )
}
