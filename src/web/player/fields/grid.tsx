/** @jsxImportSource #web/player */
import { groupGrids } from '#domain/questionnaire/grids/grids.ts'
import { scaleOf } from '#domain/run/replies.ts'
import type { RichQuestion } from '#domain/run/rich-text.ts'
import { CreatorLine } from '#web/player/content/texts.tsx'
import { type GridParts, parts } from '#web/player/parts.ts'
import { describingIds, type FieldProps, partId } from './field-props.ts'
import { FieldError, QuestionIntro, QuestionText } from './question-text.tsx'
import './grid.css'

/** Maximum number of columns of a table. With more, each row shows its own answers on wide screens too. */
const MAX_COLUMNS = 11

/** Value and text of an answer of a row. Rows with equal columns have the same texts and their own values. */
type Column = { value: string; text: string }

const columnsOf = (question: RichQuestion): Column[] => {
  if (question.type !== 'scale')
    return question.answers.map(({ id, text }) => ({ value: id, text }))
  const { from, to } = scaleOf(question)
  return Array.from({ length: to - from + 1 }, (_, rank) => {
    const number = `${from + rank}`
    return { value: number, text: number }
  })
}

/** Renders the labels of the ends of a scale. The twin in scale.tsx is in another bundle, so that no page has both. */
const ScaleLabels = ({ question, id }: { question: RichQuestion; id?: string }) => {
  const { from, to } = scaleOf(question)
  return (
    <p id={id} className="q-help q-ends">
      {[
        [from, question.scale_min_label],
        [to, question.scale_max_label],
      ].map(
        ([number, label]) =>
          label && (
            <span key={number} dir="auto">
              {`${number} : ${label}`}
            </span>
          ),
      )}
    </p>
  )
}

const hasScaleLabels = ({ scale_min_label, scale_max_label }: RichQuestion): boolean =>
  !!(scale_min_label || scale_max_label)

/** Renders one question of a grid: its text, and its answers as one group of radio buttons. */
const Row = (field: FieldProps) => {
  const { question, reply, is_finished } = field
  const { id, type, is_required } = question
  const columns = columnsOf(question)
  const isRequired = is_required !== false
  return (
    <tr className="q-item q-row" id={`q-${id}`}>
      <th scope="row">
        <span className="q-question" id={partId(question, 'text')} dir="auto">
          <QuestionText {...field} />
        </span>
        <QuestionIntro {...field} />
      </th>
      <td colSpan={columns.length}>
        <div
          role="radiogroup"
          aria-labelledby={partId(question, 'text')}
          aria-describedby={describingIds(field, hasScaleLabels(question))}
          aria-required={isRequired}
        >
          {/* The empty value says that no answer is chosen any more. */}
          {!isRequired && <input type="hidden" name={id} />}
          <div className={type === 'scale' ? `q-cells q-scale q-of${columns.length}` : 'q-cells'}>
            {columns.map(({ value, text }) => (
              <label key={value} className="q-choice">
                <input
                  type="radio"
                  name={id}
                  value={value}
                  defaultChecked={value === reply}
                  required={isRequired}
                  disabled={is_finished}
                />
                <span dir="auto">{text}</span>
              </label>
            ))}
          </div>
          {hasScaleLabels(question) && (
            <ScaleLabels question={question} id={partId(question, 'hint')} />
          )}
          {parts.ClearChoice?.(field)}
          <FieldError {...field} />
        </div>
      </td>
    </tr>
  )
}

/**
 * Renders the items of a page, with each grid as a table. Wide screens show the answers as columns. On narrow screens,
 * each row shows its own answers (grid.css).
 */
export const renderItems: GridParts['renderItems'] = (items, renderItem, insertions) =>
  groupGrids(items).map((group) => {
    if (group.kind !== 'grid') return renderItem(group)
    const { title, rows } = group
    const [first] = rows
    const columns = first ? columnsOf(first) : []
    return (
      <table
        key={first?.id}
        className={columns.length > MAX_COLUMNS ? 'q-table' : 'q-table q-wide'}
      >
        {title && (
          <caption className="q-question" dir="auto">
            <CreatorLine text={title} insertions={insertions} />
          </caption>
        )}
        <thead>
          {first && hasScaleLabels(first) && (
            // Hidden from screen readers, because the labels describe each row.
            <tr aria-hidden>
              <td />
              <td colSpan={columns.length}>
                <ScaleLabels question={first} />
              </td>
            </tr>
          )}
          <tr>
            <td />
            {columns.map(({ value, text }) => (
              <th key={value} scope="col" dir="auto">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map((question) => renderItem({ question }, Row))}</tbody>
      </table>
    )
  })
