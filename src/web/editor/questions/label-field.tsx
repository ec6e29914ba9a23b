import { useEffect, useRef } from 'react'
import { LIMITS } from '#domain/vocabulary.ts'
import { labelFieldId } from '#web/editor/publish-targets.ts'
import { afterPress } from '#web/ui/after-press.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { ChangeQuestions } from './use-questions.ts'

/** The name by which later texts insert the reply to a question. */
export const LabelField = ({
  question_id: id,
  label,
  title,
  takes_focus,
  change,
  onEntered,
  onLeft,
}: {
  question_id: string
  label: string
  /** 'Question 2'. */
  title: string
  /** Whether it was asked for, and not only there. */
  takes_focus: boolean
  change: ChangeQuestions
  onEntered: () => void
  onLeft: () => void
}) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takes_focus) field.current?.focus()
  }, [takes_focus])
  const name = label.trim()
  return (
    <TextField
      ref={field}
      id={labelFieldId(id)}
      label={`Nom court – ${title}`}
      hideLabel
      placeholder="Nom court, par exemple prénom"
      autoComplete="off"
      className="text-sm"
      value={label}
      maxLength={LIMITS.question_label}
      hint={
        name
          ? `Les textes qui suivent insèrent la réponse par {{${name}}}.`
          : 'Les textes qui suivent insèrent la réponse par ce nom.'
      }
      onChange={({ currentTarget: { value } }) =>
        change({ type: 'question_labelled', id, label: value === '' ? null : value })
      }
      onFocus={onEntered}
      onBlur={() => afterPress(onLeft)}
    />
  )
}
