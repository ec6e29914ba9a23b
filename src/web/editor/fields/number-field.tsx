import { useState } from 'react'
import { TextField } from '#web/ui/form/text-field.tsx'
import { readPastedInteger } from './parse-numbers.ts'

/**
 * Edits a whole number. The typed text stays until the field loses the focus, then the parsed value is shown.
 */
export const NumberField = ({
  id,
  label,
  caption,
  value,
  placeholder,
  min,
  hideLabel = false,
  onType,
  onEnter,
}: {
  id?: string
  label: string
  /** Label inside the field, visible even while the field has a value. */
  caption?: string
  value: number | null
  placeholder?: string
  min?: number
  hideLabel?: boolean
  onType: (typed: string) => void
  onEnter?: () => void
}) => {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <div className="relative">
      <TextField
        id={id}
        label={label}
        hideLabel={hideLabel}
        type="number"
        // The keypad without a minus sign, unless negative numbers are valid.
        inputMode={min !== undefined && min >= 0 ? 'numeric' : undefined}
        step={1}
        min={min}
        placeholder={placeholder}
        value={typed ?? value ?? ''}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onType(event.currentTarget.value)
        }}
        onPaste={(event) => {
          event.preventDefault()
          const pasted = readPastedInteger(event.clipboardData.getData('text'))
          if (pasted === null) return
          setTyped(pasted)
          onType(pasted)
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter) return
          event.preventDefault()
          onEnter()
        }}
        className={`tabular-nums ${caption ? 'pl-13 text-right' : ''}`}
      />
      {caption && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-xs text-ink-3"
        >
          {caption}
        </span>
      )}
    </div>
  )
}
