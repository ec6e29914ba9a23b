import { useEffect, useRef } from 'react'
import type { Answer, Result } from '#domain/quiz.ts'

/** Largest number of results shown as columns; more of them are a list under each answer. */
export const MATRIX_COLUMNS = 6

/** The column heads of the results, each with a box that ticks its whole column. */
export const AssociationHeads = ({
  results,
  answers,
  onCheck,
}: {
  results: readonly Result[]
  answers: readonly Answer[]
  onCheck: (result_id: string, is_checked: boolean) => void
}) => (
  <fieldset
    aria-label="Tout cocher"
    className="match-heads ml-6 flex flex-wrap items-center gap-x-4 text-xs text-ink-2"
  >
    <span aria-hidden="true" className="match-caption w-full">
      Tout cocher
    </span>
    {results.map(({ id, name }) => (
      <ColumnBox
        key={id}
        name={name}
        checked_count={answers.filter((answer) => isAssociated(answer, id)).length}
        answer_count={answers.length}
        onCheck={(is_checked) => onCheck(id, is_checked)}
      />
    ))}
  </fieldset>
)

/** Whether an answer counts for a result. */
export const isAssociated = ({ associations }: Answer, result_id: string): boolean =>
  associations.some((link) => link.result_id === result_id && link.is_checked)

const ColumnBox = ({
  name,
  checked_count,
  answer_count,
  onCheck,
}: {
  name: string
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
    <label className="inline-flex min-h-8 min-w-0 items-center gap-2">
      <input
        ref={box}
        type="checkbox"
        aria-label={`Tout cocher pour ${name}`}
        title={`Tout cocher pour ${name}`}
        checked={answer_count > 0 && checked_count === answer_count}
        onChange={(event) => onCheck(event.currentTarget.checked)}
        className="size-4 shrink-0 accent-brand"
      />
      <span className="min-w-0 break-words">{name}</span>
    </label>
  )
}
