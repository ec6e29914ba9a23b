import type { QuizStatus } from '#domain/common/vocabulary.ts'
import { isClosed } from '#domain/questionnaire/access.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

/** Renders 'Publié' or 'Brouillon' (product 7.8). */
export const StatusBadge = ({ status }: { status: QuizStatus }) => (
  <Badge tone={isPublished({ status }) ? 'ok' : 'neutral'}>{status}</Badge>
)

/** Id of the note about unpublished changes, which describes the publish button. */
export const UNPUBLISHED_NOTE_ID = 'unpublished-changes'

/** Shows next to the publish button that visitors do not see the last edits yet (product 6.5). */
export const UnpublishedNote = () => (
  <p
    id={UNPUBLISHED_NOTE_ID}
    className="w-min shrink-0 rounded-lg bg-warn-wash px-2 py-1 text-[11px] leading-3.5 font-medium text-warn 2xl:w-auto"
  >
    Modifications non publiées
  </p>
)

/** Renders 'Clos' next to the status of a published quiz that accepts no new visitors. */
export const ClosedBadge = ({ quiz }: { quiz: Quiz }) =>
  isPublished(quiz) && isClosed(quiz, Date.now()) && <Badge tone="warn">Clos</Badge>
