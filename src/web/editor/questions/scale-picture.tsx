import type { Question } from '#domain/quiz.ts'
import { scaleOf } from '#domain/replies.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { OPTION_LABELS } from '#web/editor/field-labels.ts'
import { optionId } from '#web/editor/publish-targets.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { ChangeQuestions } from './use-questions.ts'

/** A scale as visitors see it, what its ends are called written in place. */
export const ScalePicture = ({
  question,
  title,
  change,
}: {
  question: Question
  /** 'Question 2'. */
  title: string
  change: ChangeQuestions
}) => {
  const { id } = question
  const { from, to } = scaleOf(question)
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const endOf = (name: 'scale_min_label' | 'scale_max_label', className: string) => (
    <TextField
      id={optionId(id, name)}
      label={`${OPTION_LABELS[name]} – ${title}`}
      hideLabel
      placeholder={`Le ${name === 'scale_min_label' ? from : to} veut dire…`}
      autoComplete="off"
      className={`text-sm ${className}`}
      value={question[name] ?? ''}
      maxLength={LIMITS.scale_label}
      onChange={({ currentTarget: { value } }) =>
        change({ type: 'question_set', id, options: { [name]: value === '' ? null : value } })
      }
    />
  )
  return (
    <div className="flex flex-col gap-2">
      <div
        aria-hidden="true"
        className="grid grid-cols-[repeat(auto-fit,minmax(2.25rem,1fr))] gap-1 text-ink-2"
      >
        {numbers.map((number) => (
          <span
            key={number}
            className="rounded-md border border-line py-1 text-center text-sm tabular-nums"
          >
            {number}
          </span>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-3">
        {endOf('scale_min_label', '')}
        {endOf('scale_max_label', 'text-right')}
      </div>
    </div>
  )
}
