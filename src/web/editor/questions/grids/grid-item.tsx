import { ListChecks, Plus, Ungroup } from 'lucide-react'
import { fitItems } from '#domain/common/pasted-lines.ts'
import { cutText, trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import {
  addRows,
  moveRow,
  setGridTitle,
  splitGrid,
} from '#domain/questionnaire/grids/grid-edits.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { fieldId, optionId } from '#web/editor/fields/field-ids.ts'
import { pasteLossMessage } from '#web/editor/fields/list-editing.ts'
import type { AnswerFields } from '#web/editor/questions/answers/answer-row.tsx'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import type { ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import type { ItemEntry } from '#web/editor/questions/draft/use-item-entries.ts'
import { ItemFrame, type ItemPlace } from '#web/editor/questions/items/item-frame.tsx'
import ScaleFields from '#web/editor/questions/items/scale-fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { Sortable } from '#web/ui/sorting/sortable.tsx'
import { changeColumns } from './change-columns.ts'
import { GridRow, movedRow, ROWS_GROUP, RowAnswers, rowHandleId } from './grid-row.tsx'
import MisfitNote from './misfit-note.tsx'

const isQuestion = ({ content }: ItemEntry): boolean => 'answers' in content

/** Maximum length of a row's name in an announcement. */
const MAX_NAME_LENGTH = 60

const nameOfRow = (entries: readonly ItemEntry[], row_id: string): string => {
  const row = entries.find(({ id }) => id === row_id)
  const { text = '' } = (row?.content ?? {}) as Partial<Question>
  return cutText(trimText(text), MAX_NAME_LENGTH) || `Question ${row?.number}`
}

/** Shows a grid: its title, the answers that all rows share, and its rows. */
const GridItem = ({
  rows,
  misfit_of,
  place,
  answerFields,
  actions,
  change,
}: {
  rows: readonly ItemEntry[]
  misfit_of: Question | null | undefined
  place: ItemPlace
  answerFields: AnswerFields
  actions: ItemActions
  change: ChangeQuestions
}) => {
  const { alert } = useDialogs()
  const entries = rows.filter(isQuestion)
  const questions = entries.map(({ content }) => content as Question)
  const [first] = questions
  const [head] = entries
  if (!first || !head) return null
  const { id } = first
  const changeAll = changeColumns(questions, change)
  /** Adds rows with these texts. With `pasted_into`, the first text is appended to the text of this row. */
  const add = (texts: readonly string[], pasted_into?: Question): void => {
    const [text = '', ...others] = texts
    const fitted = fitItems(pasted_into ? others : texts, {
      max_items: actions.maxNewQuestions(),
      max_length: LIMITS.question_text,
    })
    const added = fitted.items.map((line) => ({ id: newId(), line }))
    const ids = added.map((row) => row.id)
    change({
      type: 'content_edited',
      edit: (content) => {
        const more = addRows(content, id, fitted.items, ids, newId)
        if (!pasted_into) return more
        const written = `${pasted_into.text}${text}`.slice(0, LIMITS.question_text)
        const withText = (row: Question): Question =>
          row.id === pasted_into.id ? { ...row, text: written } : row
        return { ...more, questions: more.questions.map(withText) }
      },
      focus_id: fieldId(ids.at(-1) ?? pasted_into?.id ?? id),
      announcement:
        fitted.items.length > 1 ? `${fitted.items.length} lignes ajoutées` : 'Ligne ajoutée',
    })
    const loss = pasteLossMessage(fitted, {
      max_length: LIMITS.question_text,
      full: `Un questionnaire a ${LIMITS.questions} questions au plus.`,
    })
    if (loss) void alert(loss)
  }
  const dropRow = (row_id: string, to: number): void =>
    change({
      type: 'content_edited',
      edit: (content) => moveRow(content, row_id, to),
      focus_id: rowHandleId(row_id),
      // A new first row renders the grid anew, with the element that would announce the drop.
      announcement: to === 0 || row_id === id ? movedRow(to, entries.length) : undefined,
    })
  const problem = entries.find((row) => row.problem)?.problem
  const kind = `${questions.length} ligne${questions.length > 1 ? 's' : ''}`
  return (
    <ItemFrame
      id={id}
      place={place}
      title={`Grille, question ${head.number}`}
      kind={kind}
      problem={problem}
      more={[
        {
          label: 'Séparer les questions',
          icon: <Ungroup aria-hidden="true" />,
          onSelect: () => {
            change({
              type: 'content_edited',
              edit: (content) => splitGrid(content, id),
              focus_id: fieldId(id),
            })
            actions.announce('Grille séparée en questions')
          },
        },
      ]}
      actions={actions}
    >
      {misfit_of !== undefined && (
        <MisfitNote question={first} first_row={misfit_of} change={change} />
      )}
      <TextField
        id={optionId(id, 'grid_title')}
        label="Titre de la grille"
        value={first.grid_title ?? ''}
        maxLength={LIMITS.grid_title}
        onChange={({ currentTarget: { value } }) =>
          change({
            type: 'content_edited',
            edit: (content) => setGridTitle(content, id, value),
            undoGroupKey: `grid_title ${id}`,
          })
        }
      />
      {first.type === 'scale' ? (
        <ScaleFields
          question={first}
          title="Grille"
          isInGrid
          change={changeAll}
          announce={actions.announce}
        />
      ) : (
        <details open={questions.length === 1}>
          <summary className="min-h-8 py-1 text-sm font-medium pointer-coarse:min-h-11">
            {`Réponses de toutes les lignes : ${first.answers.map(({ text }) => text).join(', ')}`}
          </summary>
          <RowAnswers
            question={first}
            number={head.number}
            answerFields={answerFields}
            actions={actions}
            changeAll={changeAll}
          />
        </details>
      )}
      {questions.length > 1 && (
        <Button
          size="compact"
          icon={<ListChecks aria-hidden="true" />}
          className="self-start"
          onClick={() => actions.openSettings(id)}
        >
          Régler plusieurs lignes
        </Button>
      )}
      <Sortable
        groups={{ [ROWS_GROUP]: entries.map((row) => row.id) }}
        nameOf={(row_id) => nameOfRow(entries, row_id)}
        placeOf={({ index }, count) => `position ${index + 1} sur ${count}`}
        onMove={(row_id, { index }) => dropRow(row_id, index)}
      >
        {({ [ROWS_GROUP]: ids = [] }) => (
          <ol aria-label="Lignes de la grille" className="flex flex-col divide-y divide-line">
            {ids.flatMap((row_id, index) => {
              const entry = entries.find((row) => row.id === row_id)
              return entry ? (
                <GridRow
                  key={row_id}
                  question={entry.content as Question}
                  number={entry.number}
                  index={index}
                  row_count={ids.length}
                  answerFields={answerFields}
                  actions={actions}
                  change={change}
                  changeAll={changeAll}
                  next_id={ids[index + 1]}
                  previous_id={ids[index - 1]}
                  onAdd={add}
                />
              ) : (
                []
              )
            })}
          </ol>
        )}
      </Sortable>
      <Button
        variant="ghost"
        icon={<Plus aria-hidden="true" />}
        className="self-start"
        disabled={!place.canCopy}
        onClick={() => add([''])}
      >
        Ajouter une ligne
      </Button>
      <p className="text-xs text-ink-3">
        Collez une liste dans une ligne pour ajouter autant de questions.
      </p>
    </ItemFrame>
  )
}

export default GridItem
