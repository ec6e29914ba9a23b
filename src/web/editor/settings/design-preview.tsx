import { useMemo, useState } from 'react'
import { COLOR_NAMES } from '#domain/questionnaire/look/colors.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { type Snapshot, type SnapshotAnswer, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { NEW_RUN } from '#web/player/run/run.ts'
import { PreviewRun } from '#web/preview/preview-run.tsx'
import { useFont } from '#web/preview/use-font.ts'
import { useReadSnapshot } from '#web/preview/use-read-snapshot.ts'
import { WidthButton } from '#web/preview/width-button.tsx'

/** Shows the first page of the quiz as visitors will see it, rendered by the public player. */
export const DesignPreview = ({ draft }: { draft: Draft }) => {
  const [isNarrow, setNarrow] = useState(false)
  const draftSnapshot = useMemo(() => withSampleQuestion(takeSnapshot(draft)), [draft])
  const snapshot = useReadSnapshot(draftSnapshot)
  useFont(snapshot.quiz.font)
  const isDefault = COLOR_NAMES.every((name) => snapshot.quiz[name] === null)
  return (
    <figure className="m-0 min-w-[min(100%,20rem)] flex-1 max-lg:sticky max-lg:top-14 max-lg:z-10 max-lg:order-first max-lg:flex max-lg:max-h-[40dvh] max-lg:w-full max-lg:flex-none max-lg:flex-col max-lg:bg-paper max-lg:pb-2">
      <figcaption className="mb-2 flex min-h-8 items-center justify-between text-sm font-medium text-ink">
        Aperçu en direct
        <WidthButton isNarrow={isNarrow} onChange={setNarrow} className="max-sm:hidden" />
      </figcaption>
      {isDefault && (
        <p className="mb-2 text-sm text-ink-2 max-lg:text-xs">
          Sans couleur choisie, vos visiteurs voient ces couleurs.
        </p>
      )}
      <section
        aria-label="Aperçu du design"
        // Focusable, so that it can be scrolled by keyboard, because its content is inert.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the region
        tabIndex={0}
        className={`${isNarrow ? 'mx-auto max-w-[390px] ' : ''}overflow-y-auto rounded-xl shadow-card max-lg:min-h-0 lg:max-h-[36rem] lg:min-h-80`}
      >
        {/* Inert, because the quiz can be tried on the preview screen. Smaller on narrow screens, where the
            colours are below. */}
        <div inert className="flex flex-col *:flex-1 max-lg:[zoom:0.6] lg:min-h-80">
          {/* Starts on the first page instead of the welcome screen, to show the colours of choices and buttons. */}
          <PreviewRun snapshot={snapshot} rules={PUBLIC_RULES} initial={NEW_RUN} />
        </div>
      </section>
    </figure>
  )
}

const answer = (id: string, text: string, position: number): SnapshotAnswer => ({
  id,
  text,
  score: null,
  position,
  associations: [],
})

/**
 * Returns the snapshot with a sample question if the quiz has no items, so that the preview shows colours.
 */
const withSampleQuestion = (snapshot: Snapshot): Snapshot => {
  if (snapshot.questions.length > 0 || snapshot.text_blocks.length > 0) return snapshot
  return {
    ...snapshot,
    questions: [
      {
        id: 'sample',
        text: 'Votre première question s’affichera ainsi',
        type: 'multiple_choice',
        position: 0,
        global_position: 0,
        page_number: 1,
        answers: [answer('a', 'Une réponse', 0), answer('b', 'Une autre réponse', 1)],
      },
    ],
  }
}
