import { useEffect, useId, useRef } from 'react'
import type { Answer, Result } from '#domain/questionnaire/quiz.ts'
import { associationId } from '#web/editor/fields/field-ids.ts'
import { NumberField } from '#web/editor/fields/number-field.tsx'
import { readWeight } from '#web/editor/fields/parse-numbers.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { resultColorStyle } from '#web/ui/result-colors.ts'

/** Lets the creator tick the results that an answer counts for; a ticked result has a weight. */
export const ResultPills = ({
  answer,
  name,
  results,
  change,
}: {
  answer: Answer
  /** Name of the answer. */
  name: string
  results: readonly Result[]
  change: ChangeQuestions
}) => {
  const path = { question_id: answer.question_id, answer_id: answer.id }
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{`Résultats associés à ${name}`}</legend>
      {results.map((result, index) => {
        const association = associationTo(answer, result.id)
        return (
          // `contents` makes pill and weight separate flex items, so that only the weight wraps.
          <div key={result.id} className="contents">
            <label className="result-pill" style={resultColorStyle(index)}>
              <input
                type="checkbox"
                id={index === 0 ? associationId(answer.id) : undefined}
                checked={association !== undefined}
                onChange={(event) =>
                  change({
                    type: 'answer_associated',
                    ...path,
                    result_id: result.id,
                    is_checked: event.currentTarget.checked,
                  })
                }
                className="size-4 shrink-0 accent-brand"
              />
              <span className="min-w-0 wrap-anywhere" dir="auto">
                {result.name}
              </span>
            </label>
            {association && (
              <div className="w-28">
                <NumberField
                  label={`Poids – ${result.name}, pour ${name}`}
                  hideLabel
                  caption="Poids"
                  min={0}
                  value={association.weight}
                  onType={(typed) =>
                    change({
                      type: 'association_weighted',
                      ...path,
                      result_id: result.id,
                      weight: readWeight(typed),
                    })
                  }
                />
              </div>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}

/** Shows one checkbox per result, which associates the result with all answers or with none. */
export const ResultPillsOfAll = ({
  results,
  answers,
  onCheck,
}: {
  results: readonly Result[]
  answers: readonly Answer[]
  onCheck: (result_id: string, is_checked: boolean) => void
}) => {
  const id = useId()
  return (
    <fieldset aria-labelledby={id} className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
      <span id={id}>Tout cocher</span>
      {results.map((result, index) => (
        <PillOfAll
          key={result.id}
          name={result.name}
          index={index}
          checked_count={answers.filter((answer) => associationTo(answer, result.id)).length}
          answer_count={answers.length}
          onCheck={(is_checked) => onCheck(result.id, is_checked)}
        />
      ))}
    </fieldset>
  )
}

const associationTo = ({ associations }: Answer, result_id: string) =>
  associations.find((link) => link.result_id === result_id && link.is_checked)

const PillOfAll = ({
  name,
  index,
  checked_count,
  answer_count,
  onCheck,
}: {
  name: string
  index: number
  checked_count: number
  answer_count: number
  onCheck: (is_checked: boolean) => void
}) => {
  const box = useRef<HTMLInputElement>(null)
  const isPartial = checked_count > 0 && checked_count < answer_count
  // HTML has no attribute for the indeterminate state.
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartial
  }, [isPartial])
  return (
    <label className="result-pill" style={resultColorStyle(index)}>
      <input
        ref={box}
        type="checkbox"
        aria-label={`Tout cocher pour ${name}`}
        title={`Tout cocher pour ${name}`}
        checked={answer_count > 0 && checked_count === answer_count}
        onChange={(event) => onCheck(event.currentTarget.checked)}
        className="size-4 shrink-0 accent-brand"
      />
      <span className="min-w-0 wrap-anywhere" dir="auto">
        {name}
      </span>
    </label>
  )
}
