import { PLAYER_PALETTE, resolveColors } from '#domain/colors.ts'
import { PREVIEW_RULES } from '#domain/scoring.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { paletteProperties } from '#web/player/palette.ts'
import { QuizPlayer } from '#web/player/quiz-player.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'

/** Spec §8 « No results in preview ». */
const NO_RESULTS = "Aucun résultat n'est défini pour ce quiz. Veuillez créer au moins un résultat."

/** The player under the preview's rules, in the colours that visitors get. */
export const PreviewPlayer = ({ snapshot }: { snapshot: Snapshot }) => {
  const { alert } = useDialogs()
  return (
    <QuizPlayer
      snapshot={snapshot}
      rules={PREVIEW_RULES}
      palette={paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE))}
      onMissingResults={() => void alert(NO_RESULTS)}
    />
  )
}
