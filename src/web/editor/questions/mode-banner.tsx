import { Info, RotateCcw } from 'lucide-react'
import type { QuizMode } from '#domain/vocabulary.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'

type Words = { title: string; text: string }

const UNSET: Words = {
  title: 'Aucun mode choisi',
  text: 'Le premier score saisi choisit le mode score ; la première association cochée, le mode profils.',
}
const WORDS: Record<NonNullable<QuizMode>, Words & { erased: string }> = {
  score: {
    title: 'Mode score',
    text: 'Les scores des réponses s’additionnent : le total désigne le résultat dont le palier le contient.',
    erased: 'Tous les scores et tous les paliers seront effacés.',
  },
  profils: {
    title: 'Mode profils',
    text: 'Chaque réponse compte pour les résultats cochés : le plus souvent désigné l’emporte.',
    erased: 'Toutes les associations seront effacées.',
  },
}

/** Shows how the result is computed, and resets the mode (spec §4 « Quiz mode »). */
export const ModeBanner = ({ mode, onReset }: { mode: QuizMode; onReset: () => void }) => {
  const { confirm } = useDialogs()
  const words = mode ? WORDS[mode] : UNSET

  const reset = async (): Promise<void> => {
    if (!mode) return
    const isConfirmed = await confirm(
      `Voulez-vous vraiment réinitialiser le mode ? ${WORDS[mode].erased}`,
      { confirm_label: 'Réinitialiser', danger: true },
    )
    if (isConfirmed) onReset()
  }

  return (
    <section
      aria-label="Mode de calcul"
      className="flex flex-wrap items-center gap-3 rounded-xl bg-brand-wash p-4"
    >
      <Info aria-hidden="true" className="size-4 shrink-0 text-brand" />
      <div className="min-w-[min(100%,13rem)] flex-1">
        <h2 className="font-medium">{words.title}</h2>
        <p className="text-ink-2">{words.text}</p>
      </div>
      {mode && (
        <Button icon={<RotateCcw aria-hidden="true" />} onClick={reset}>
          Réinitialiser le mode
        </Button>
      )}
    </section>
  )
}
