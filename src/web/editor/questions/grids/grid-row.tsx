import { ArrowDown, ArrowUp, EllipsisVertical, LogOut, Tag, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { leaveGrid, moveRow, removeRow } from '#domain/questionnaire/grids/grid-edits.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { fieldId, optionId } from '#web/editor/fields/field-ids.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import { pasteList } from '#web/editor/fields/list-editing.ts'
import type { AnswerFields } from '#web/editor/questions/answers/answer-row.tsx'
import { AnswersList } from '#web/editor/questions/answers/answers-list.tsx'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import type { ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import { QuestionOptions } from '#web/editor/questions/items/question-options.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { SortHandle, useSortableItem } from '#web/ui/sorting/sortable.tsx'

/** Group of the rows that can be dragged. */
export const ROWS_GROUP = 'rows'
/** Returns the id of the handle that drags a row. */
export const rowHandleId = (id: string): string => optionId(id, 'row-handle')
/** Returns the announcement of a moved row. */
export const movedRow = (index: number, row_count: number): string =>
  `Ligne déplacée : position ${index + 1} sur ${row_count}`

/** Question of a grid with what its fields need. */
type RowProps = {
  question: Question
  /** Number among the questions, from 1. */
  number: number
  answerFields: AnswerFields
  actions: ItemActions
  /** Changes the answers of every row. */
  changeAll: ChangeQuestions
}

/** Shows the answers of a row, which have the texts of the columns and the scores of the row. */
export const RowAnswers = ({ question, changeAll, ...fields }: RowProps) => (
  <AnswersList
    {...fields}
    question_id={question.id}
    answers={question.answers}
    hasPictures={false}
    jumpFieldPage={undefined}
    change={changeAll}
  />
)

/** Shows one row of a grid: the text of its question, its menu, its options and its own scores. */
export const GridRow = ({
  question,
  number,
  index,
  row_count,
  answerFields,
  actions,
  change,
  changeAll,
  next_id,
  previous_id,
  onAdd,
}: RowProps & {
  /** Index in the grid. */
  index: number
  row_count: number
  change: ChangeQuestions
  next_id: string | undefined
  previous_id: string | undefined
  /** Adds rows. With `pasted_into`, the first text is appended to the text of this row. */
  onAdd: (texts: readonly string[], pasted_into?: Question) => void
}) => {
  const { confirm } = useDialogs()
  const [isOpen, setOpen] = useState(false)
  const { id, text, type } = question
  const title = `Question ${number}`
  const sortable = useSortableItem({ id, index, group: ROWS_GROUP })
  const edit = (
    action: Omit<Extract<Parameters<ChangeQuestions>[0], { type: 'content_edited' }>, 'type'>,
  ) => change({ type: 'content_edited', ...action })
  const move = (step: -1 | 1): void => {
    if (index + step < 0 || index + step >= row_count) return
    edit({
      edit: (content) => moveRow(content, id, index + step),
      focus_id: fieldId(id),
      announcement: movedRow(index + step, row_count),
    })
  }
  const removeNow = (): void =>
    edit({
      edit: (content) => removeRow(content, id),
      focus_id: fieldId(previous_id ?? next_id ?? id),
      announcement: 'Ligne supprimée',
    })
  const remove = async (): Promise<void> => {
    if (row_count === 1) return actions.remove(id)
    const isConfirmed = await confirm('Êtes-vous sûr de vouloir supprimer cette ligne ?', {
      confirm_label: 'Supprimer',
      danger: true,
    })
    if (!isConfirmed) return
    removeNow()
    actions.announce('Ligne supprimée')
  }
  const leave = (): void => {
    edit({ edit: (content) => leaveGrid(content, id), focus_id: fieldId(id) })
    actions.announce('Question sortie de la grille')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, altKey } = event
    if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
      event.preventDefault()
      // The shortcut of items would move the whole grid.
      event.stopPropagation()
      move(key === 'ArrowUp' ? -1 : 1)
    } else if (key === 'Enter') {
      event.preventDefault()
      if (next_id) focusElement(fieldId(next_id))
      else if (actions.maxNewQuestions() > 0) onAdd([''])
    } else if (key === 'Backspace' && text === '' && row_count > 1) {
      event.preventDefault()
      removeNow()
    }
  }
  return (
    <li
      ref={sortable.ref}
      className={`flex flex-col gap-1 bg-card py-2 ${sortable.isDragging ? 'shadow-float ring-2 ring-brand' : ''}`}
    >
      <div className="flex items-start gap-1">
        {row_count > 1 && (
          <SortHandle id={rowHandleId(id)} sortable={sortable} label={`Déplacer ${title}`} />
        )}
        <div className="min-w-0 flex-1">
          <RichTextField
            has_marks={false}
            item_id={id}
            id={fieldId(id)}
            label={`${title}, ligne ${index + 1} sur ${row_count}`}
            hideLabel
            placeholder="Texte de la ligne"
            rows={1}
            value={text}
            maxLength={LIMITS.question_text}
            onChange={(event) =>
              change({ type: 'question_written', id, text: event.currentTarget.value })
            }
            onPaste={(event) => pasteList(event, (lines) => onAdd(lines, question))}
            onKeyDown={onKeyDown}
          />
        </div>
        <Menu
          label={`Actions – ${title}`}
          icon={<EllipsisVertical aria-hidden="true" />}
          items={[
            {
              label: 'Monter',
              icon: <ArrowUp aria-hidden="true" />,
              disabled: index === 0,
              onSelect: () => move(-1),
            },
            {
              label: 'Descendre',
              icon: <ArrowDown aria-hidden="true" />,
              disabled: index === row_count - 1,
              onSelect: () => move(1),
            },
            {
              label: 'Sortir de la grille',
              icon: <LogOut aria-hidden="true" />,
              onSelect: leave,
            },
            {
              label: 'Nom court…',
              icon: <Tag aria-hidden="true" />,
              onSelect: () => focusElement(optionId(id, 'label')),
            },
            {
              label: 'Supprimer',
              icon: <Trash2 aria-hidden="true" />,
              danger: true,
              onSelect: () => void remove(),
            },
          ]}
        />
      </div>
      {type === 'multiple_choice' && index > 0 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="py-1 text-sm text-ink-2 pointer-coarse:min-h-11">
            {`Réponses de la ligne ${index + 1}`}
          </summary>
          {isOpen && (
            <RowAnswers
              question={question}
              number={number}
              answerFields={answerFields}
              actions={actions}
              changeAll={changeAll}
            />
          )}
        </details>
      )}
      <QuestionOptions
        question={question}
        title={title}
        hasScores={answerFields.hasScores}
        change={changeAll}
      />
    </li>
  )
}
