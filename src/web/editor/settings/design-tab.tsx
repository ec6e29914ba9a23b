import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { COLOR_NAMES, EDITOR_PALETTE, resolveColors } from '#domain/colors.ts'
import type { Quiz, QuizColors } from '#domain/quiz.ts'
import { Button } from '#web/ui/button.tsx'
import { ColorField } from './color-field.tsx'
import { DesignPreview } from './design-preview.tsx'

const LABELS: Record<keyof QuizColors, string> = {
  bg_color: 'Fond',
  text_color: 'Texte',
  button_color: 'Bouton',
  button_text_color: 'Texte du bouton',
  accent_color: 'Accent',
}

/** The five colours beside what they give (spec §2 « Settings screen »). */
export const DesignTab = ({
  quiz,
  colors,
  onChange,
  onReset,
}: {
  quiz: Quiz
  colors: QuizColors
  onChange: (name: keyof QuizColors, color: string) => void
  onReset: () => void
}) => {
  // A reset also clears what is half typed, so the fields start again with it.
  const [resets, setResets] = useState(0)
  const shown = resolveColors(colors, EDITOR_PALETTE)

  const reset = (): void => {
    onReset()
    setResets(resets + 1)
  }

  return (
    <div className="grid gap-8 lg:grid-cols-[20rem_1fr]">
      <div className="flex flex-col gap-5">
        {COLOR_NAMES.map((name) => (
          <ColorField
            key={`${name}-${resets}`}
            label={LABELS[name]}
            color={shown[name]}
            onChange={(color) => onChange(name, color)}
          />
        ))}
        <Button
          variant="secondary"
          icon={<RotateCcw aria-hidden="true" />}
          onClick={reset}
          className="self-start"
        >
          Réinitialiser
        </Button>
      </div>
      <DesignPreview quiz={quiz} colors={colors} />
    </div>
  )
}
