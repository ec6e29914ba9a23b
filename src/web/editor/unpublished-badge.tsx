import { isPublished, type Quiz } from '#domain/quiz.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Shows that the last edits are not published yet (spec §2 « Questions screen »). */
export const UnpublishedBadge = ({
  quiz,
  hasChanges,
}: {
  quiz: Pick<Quiz, 'status'>
  hasChanges: boolean
}) =>
  isPublished(quiz) && hasChanges ? <Badge tone="warn">Modifications non publiées</Badge> : null
