import { TIE_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import { editColumns } from '#domain/questionnaire/grids/grid-edits.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { questionsAnnouncement } from '#web/editor/questions/draft/announcements.ts'
import { focusAfterAction } from '#web/editor/questions/draft/focus-after-action.ts'
import {
  type QuestionsAction,
  type QuestionsDraft,
  questionsReducer,
} from '#web/editor/questions/draft/questions-reducer.ts'
import { questionsUndoGroupKey } from '#web/editor/questions/draft/questions-undo-group-key.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'

/** Returns a draft with one question, so that the reducer can apply an action to this question alone. */
const draftOf = (question: Question): QuestionsDraft => ({
  quiz: TIE_DEFAULTS,
  questions: [question],
  text_blocks: [],
  results: [],
  quiz_mode: null,
  page_count: question.page_number,
})

/** Returns the id of the row whose answers or scale an action changes; undefined for other actions. */
const changedRow = (action: QuestionsAction): string | undefined => {
  switch (action.type) {
    case 'answers_added':
    case 'answers_written':
    case 'answer_written':
    case 'answer_removed':
      return action.question_id
    case 'question_options_set':
      return Object.keys(action.options).some((name) => /^scale_m/.test(name))
        ? action.id
        : undefined
    default:
      return undefined
  }
}

/** Wraps `change`, so that a change of the answers or of the scale of one row applies to every row of the grid. */
export const changeColumns =
  (rows: readonly Question[], change: ChangeQuestions): ChangeQuestions =>
  (action) => {
    const row = rows.find(({ id }) => id === changedRow(action))
    if (!row) return change(action)
    const apply = (question: Question): Question =>
      questionsReducer(draftOf(question), action).questions[0] ?? question
    const after = draftOf(apply(row))
    change({
      type: 'content_edited',
      edit: (content) => editColumns(content, row.id, apply, newId),
      undoGroupKey: questionsUndoGroupKey(action),
      focus_id: focusAfterAction(draftOf(row), action),
      announcement: questionsAnnouncement(after, action),
    })
  }
