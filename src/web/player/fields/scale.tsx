/** @jsxImportSource #web/player */
import { scaleOf } from '#domain/run/replies.ts'
import { ChoiceGroup } from './choices.tsx'
import { type FieldProps, partId } from './field-props.ts'
import './question-options.css'

/** Renders a scale as a row of radio buttons. The labels of its ends have a twin in grid.tsx. */
export const Scale = (field: FieldProps) => {
  const { question, reply } = field
  const { from, to } = scaleOf(question)
  const numbers = Array.from({ length: to - from + 1 }, (_, rank) => `${from + rank}`)
  const labels = [
    [from, question.scale_min_label],
    [to, question.scale_max_label],
  ].filter(([, label]) => label)
  return (
    <ChoiceGroup field={field} hasHint={labels.length > 0}>
      <div className={`q-scale q-of${numbers.length}`}>
        {numbers.map((number) => (
          <label key={number} className="q-choice">
            <input
              type="radio"
              name={question.id}
              value={number}
              defaultChecked={number === reply}
              required={question.is_required !== false}
            />
            {number}
          </label>
        ))}
      </div>
      {labels.length > 0 && (
        <p id={partId(question, 'hint')} className="q-help q-ends">
          {labels.map(([number, label]) => (
            <span key={number} dir="auto">
              {`${number} : ${label}`}
            </span>
          ))}
        </p>
      )}
    </ChoiceGroup>
  )
}
