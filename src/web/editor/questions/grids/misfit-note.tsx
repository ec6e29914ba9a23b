import { keepSingle, rejoinGrid } from '#domain/questionnaire/grids/grid-edits.ts'
import { type MisfitReason, misfitReason } from '#domain/questionnaire/grids/grids.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { fieldId } from '#web/editor/fields/field-ids.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { Button } from '#web/ui/button.tsx'

const REASONS: Record<MisfitReason, string> = {
  no_grid_before: 'aucune grille ne la précède sur cette page',
  not_a_row: 'une ligne a une seule réponse possible, sans « Autre » ni image',
  other_scale: 'ses réponses ou son échelle ne sont pas celles de la grille',
  other_answers: 'ses réponses ne sont pas celles de la grille',
  spaces_in_answers: 'ses réponses diffèrent de celles de la grille par des espaces',
  after_misfit: 'la question qui la précède est hors de la grille',
}

const canRejoin = (reason: MisfitReason): boolean =>
  reason !== 'no_grid_before' && reason !== 'after_misfit'

/** Says why a question is not a row of the preceding grid, with a button that makes it fit and one that keeps it single. */
const MisfitNote = ({
  question,
  first_row,
  change,
}: {
  question: Question
  /** First row of the preceding grid; null if no grid precedes. */
  first_row: Question | null
  change: ChangeQuestions
}) => {
  const { id } = question
  const reason = misfitReason(question, first_row)
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg bg-wash p-2 text-sm">
      <p className="text-warn">{`Hors de la grille : ${REASONS[reason]}.`}</p>
      {canRejoin(reason) && (
        <Button
          size="compact"
          onClick={() =>
            change({
              type: 'content_edited',
              edit: (content) => rejoinGrid(content, id, newId),
              focus_id: fieldId(id),
              announcement: 'Question remise dans la grille',
            })
          }
        >
          Remettre dans la grille
        </Button>
      )}
      <Button
        size="compact"
        variant="ghost"
        onClick={() =>
          change({
            type: 'content_edited',
            edit: (content) => keepSingle(content, id),
            focus_id: fieldId(id),
            announcement: 'Question gardée seule',
          })
        }
      >
        Garder seule
      </Button>
    </div>
  )
}

export default MisfitNote
