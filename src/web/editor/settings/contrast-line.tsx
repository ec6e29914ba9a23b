import { contrastRatio, nearestReadable } from '#domain/contrast.ts'
import { Button } from '#web/ui/button.tsx'

const ratioText = new Intl.NumberFormat('fr-FR', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** The contrast of two chosen colours, and the nearest shade that is sufficient; it never prevents saving. */
export const ContrastLine = ({
  what,
  color,
  against,
  needed,
  onCorrect,
}: {
  /** 'le texte sur le fond'. */
  what: string
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
        <span className="sr-only">{`Contraste ${what} : `}</span>
        {`${ratioText.format(ratio)} : 1 — ${isReadable ? 'lisible' : 'peu lisible'}`}
      </span>
      {!isReadable && (
        <Button
          aria-label={`Corriger le contraste ${what}`}
          onClick={() => onCorrect(nearestReadable(color, against, needed))}
        >
          Corriger
        </Button>
      )}
    </p>
  )
}
