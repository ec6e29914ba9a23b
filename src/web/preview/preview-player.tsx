import { useCallback, useEffect, useRef } from 'react'
import { isSondage, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { explainResult } from '#domain/run/explanation.ts'
import { Reasons } from '#web/statistics/participants/result-reasons.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useMedia, WIDE } from '#web/ui/use-media.ts'
import { type PreviewPlace, WELCOME } from './preview-path.ts'
import { PreviewRun } from './preview-run.tsx'
import { startRunAt } from './preview-runs.ts'
import { useFont } from './use-font.ts'
import { useReadSnapshot } from './use-read-snapshot.ts'

/** Alert for a quiz without results (product 14.6). */
const NO_RESULTS = "Aucun résultat n'est défini pour ce quiz. Veuillez créer au moins un résultat."

/** Shows a run of the draft. A higher `restart_count` starts it again from the beginning. */
export const PreviewPlayer = ({
  snapshot,
  place,
  restart_count: restartCount,
  onRestart,
}: {
  snapshot: Snapshot
  place: PreviewPlace
  restart_count: number
  onRestart: () => void
}) => {
  const { alert } = useDialogs()
  useFont(snapshot.quiz.font)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (restartCount > 0) frame.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
  }, [restartCount])
  // Memoised, because a new function would make the player's form initialise again.
  const onBeforeEnd = useCallback((): boolean => {
    const may = isSondage(snapshot.quiz) || snapshot.results.length > 0
    if (!may) void alert(NO_RESULTS)
    return may
  }, [snapshot, alert])
  const read = useReadSnapshot(snapshot)
  const start = restartCount === 0 ? place : WELCOME
  const initial = startRunAt(read, start)
  const isExample = typeof start === 'object' && initial.replies === start.example
  const replies = isExample ? start.example : undefined
  return (
    <div ref={frame} className={`grid ${replies ? 'grid-rows-[auto_1fr]' : ''}`}>
      {replies && <ExampleReasons snapshot={snapshot} replies={replies} />}
      <PreviewRun
        // A new key when the texts are parsed, because an end keeps the texts it was opened with.
        key={typeof start === 'object' ? `${restartCount} ${read === snapshot}` : restartCount}
        snapshot={read}
        initial={initial}
        onBeforeEnd={onBeforeEnd}
        onRestart={onRestart}
      />
    </div>
  )
}

const FIRST_FIELD = ':is(.q-page :is(input:not([type=hidden]), textarea), h1)'

/** Shows the replies of an example, page by page, and why they give its result. */
const ExampleReasons = ({ snapshot, replies }: { snapshot: Snapshot; replies: Replies }) => {
  const explanation = explainResult(snapshot, replies)
  // Closed on phones, so that the result below stays visible.
  const isWide = useMedia(WIDE)
  return (
    <details open={isWide} className="border-b border-line bg-wash">
      <summary className="min-h-11 px-4 py-3 font-medium wrap-anywhere">
        Un exemple de réponses qui donnent « {explanation.result_name} »
      </summary>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <section
        aria-label="Réponses de l’exemple"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the region
        tabIndex={0}
        className="max-h-72 overflow-y-auto px-4 pb-4"
      >
        <div className="mx-auto max-w-2xl">
          <Reasons explanation={explanation} />
        </div>
      </section>
    </details>
  )
}
