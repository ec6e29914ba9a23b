import { useQuery } from '@tanstack/react-query'
import { EDITOR_PALETTE, resolveColors } from '#domain/colors.ts'
import type { Quiz, QuizColors } from '#domain/quiz.ts'
import { PREVIEW_RULES } from '#domain/scoring.ts'
import { snapshotQuery } from '#web/api/queries.ts'
import { paletteProperties } from '#web/player/palette.ts'
import { QuizPlayer } from '#web/player/quiz-player.tsx'
import { Loading } from '#web/ui/screen-state.tsx'
import { withSampleQuestion } from './sample-snapshot.ts'

/** The first page of the quiz in the colours being chosen, drawn by the very player visitors get. */
export const DesignPreview = ({ quiz, colors }: { quiz: Quiz; colors: QuizColors }) => {
  const { data } = useQuery(snapshotQuery(quiz.id))
  return (
    <figure className="m-0 min-w-[min(100%,20rem)] flex-1">
      <figcaption className="mb-2 text-sm font-medium text-ink">Aperçu en direct</figcaption>
      <div className="max-h-[36rem] min-h-80 overflow-y-auto rounded-xl border border-line">
        {data ? (
          // Only to be looked at: the preview screen is where a quiz is tried.
          <div inert className="flex min-h-80 flex-col *:flex-1">
            <QuizPlayer
              snapshot={withSampleQuestion({
                ...data.snapshot,
                quiz: { ...data.snapshot.quiz, name: quiz.name },
              })}
              rules={PREVIEW_RULES}
              palette={paletteProperties(resolveColors(colors, EDITOR_PALETTE))}
            />
          </div>
        ) : (
          <Loading text="Chargement..." />
        )}
      </div>
    </figure>
  )
}
