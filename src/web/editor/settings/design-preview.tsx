import { useMemo, useState } from 'react'
import { EDITOR_PALETTE, resolveColors } from '#domain/colors.ts'
import type { Draft } from '#domain/quiz.ts'
import { PREVIEW_RULES } from '#domain/scoring.ts'
import { takeSnapshot } from '#domain/snapshot.ts'
import { paletteProperties } from '#web/player/palette.ts'
import { QuizPlayer } from '#web/player/quiz-player.tsx'
import { WidthButton } from '#web/preview/width-button.tsx'
import { withSampleQuestion } from './sample-snapshot.ts'

/** The first page of the quiz in the chosen colours, rendered by the player of the public page. */
export const DesignPreview = ({ draft }: { draft: Draft }) => {
  const [isNarrow, setNarrow] = useState(false)
  const snapshot = useMemo(() => withSampleQuestion(takeSnapshot(draft)), [draft])
  return (
    <figure className="m-0 min-w-[min(100%,20rem)] flex-1">
      <figcaption className="mb-2 flex min-h-8 items-center justify-between text-sm font-medium text-ink">
        Aperçu en direct
        <WidthButton isNarrow={isNarrow} onChange={setNarrow} className="max-sm:hidden" />
      </figcaption>
      <div
        className={`${isNarrow ? 'mx-auto max-w-[390px] ' : ''}max-h-[36rem] min-h-80 overflow-y-auto rounded-xl border border-line`}
      >
        {/* Inert: the quiz can be tried on the preview screen. */}
        <div inert className="flex min-h-80 flex-col *:flex-1">
          <QuizPlayer
            snapshot={snapshot}
            rules={PREVIEW_RULES}
            palette={paletteProperties(resolveColors(draft.quiz, EDITOR_PALETTE))}
          />
        </div>
      </div>
    </figure>
  )
}
