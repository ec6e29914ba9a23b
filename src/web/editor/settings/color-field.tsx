import { useState } from 'react'
import { contrastRatio, nearestReadable, parseHexColor } from '#domain/questionnaire/look/colors.ts'
import { contrastText } from '#domain/questionnaire/look/contrasts.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

/** Edits one colour with a picker or as text (product 7.12). Invalid text changes nothing. */
export const ColorField = ({
  id,
  label,
  color,
  onChange,
}: {
  id: string
  label: string
  color: string
  onChange: (color: string) => void
}) => {
  // Typed text; null while the field shows the current colour.
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const isRefused = typed !== null && isLeft && !parseHexColor(typed)

  const type = (text: string): void => {
    setTyped(text)
    setLeft(false)
    const parsed = parseHexColor(text)
    if (parsed) onChange(parsed)
  }
  const onBlur = (): void => {
    setLeft(true)
    if (typed !== null && parseHexColor(typed)) setTyped(null)
  }

  return (
    <fieldset className="flex items-end gap-3">
      <legend className="mb-1 text-sm font-medium text-ink">{label}</legend>
      <input
        id={id}
        type="color"
        aria-label={`${label} – palette`}
        value={color.toLowerCase()}
        onChange={(event) => {
          setTyped(null)
          onChange(event.currentTarget.value)
        }}
        className="h-10 w-12 shrink-0 pointer-coarse:h-11 cursor-pointer rounded-lg border border-field bg-paper p-1"
      />
      <div className="flex-1">
        <TextField
          label={`${label} – code hexadécimal`}
          hideLabel
          value={typed ?? color}
          maxLength={20}
          spellCheck={false}
          autoComplete="off"
          error={
            isRefused
              ? `Couleur attendue : #rrggbb, par exemple #0070D7. Reste ${color}.`
              : undefined
          }
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={onBlur}
        />
      </div>
    </fieldset>
  )
}

/**
 * Shows the contrast of two colours and offers the nearest sufficient shade. A low contrast never prevents
 * saving.
 */
export const ContrastLine = ({
  label,
  color,
  against,
  needed,
  onCorrect,
}: {
  /** Pair of colours in words, such as 'du texte sur le fond'. */
  label: string
  color: string
  against: string
  needed: number
  onCorrect: (color: string) => void
}) => {
  const ratio = contrastRatio(color, against)
  const isReadable = ratio >= needed
  return (
    <p
      className={`flex min-h-9 flex-wrap items-center gap-x-3 text-sm ${isReadable ? 'text-ink-3' : 'text-warn'}`}
    >
      <span className="tabular-nums">
        <span className="sr-only">{`Contraste ${label} : `}</span>
        {`${contrastText(ratio)} — ${isReadable ? 'lisible' : 'peu lisible'}`}
      </span>
      {!isReadable && (
        <Button
          aria-label={`Corriger le contraste ${label}`}
          onClick={() => onCorrect(nearestReadable(color, against, needed))}
        >
          Corriger
        </Button>
      )}
    </p>
  )
}
