import { explainResult } from '#domain/explanation.ts'
import type { Replies } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { Reasons } from '#web/statistics/result-reasons.tsx'
import { useMedia, WIDE } from '#web/ui/use-media.ts'

/** The replies of an example, page by page along its path, and why they give its result. */
export const ExampleReasons = ({ snapshot, replies }: { snapshot: Snapshot; replies: Replies }) => {
  const explanation = explainResult(snapshot, replies)
  // On a phone the result would be far below.
  const isWide = useMedia(WIDE)
  return (
    <details open={isWide} className="border-b border-line bg-wash">
      <summary className="min-h-11 px-4 py-3 font-medium wrap-anywhere">
        Un exemple de réponses qui donnent « {explanation.result_name} »
      </summary>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <section
        aria-label="Réponses de l’exemple"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
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
