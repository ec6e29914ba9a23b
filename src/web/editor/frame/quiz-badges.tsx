import type { QuizStatus } from '#domain/common/vocabulary.ts'
import { isClosed } from '#domain/questionnaire/access.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

/** Renders 'Publié' or 'Brouillon' (spec §3). */
export const StatusBadge = ({ status }: { status: QuizStatus }) => (
  <Badge tone={isPublished({ status }) ? 'ok' : 'neutral'}>{status}</Badge>
)

/** Renders 'Clos' next to the status of a published quiz that accepts no new visitors. */
export const ClosedBadge = ({ quiz }: { quiz: Quiz }) =>
  isPublished(quiz) && isClosed(quiz, Date.now()) && <Badge tone="warn">Clos</Badge>
