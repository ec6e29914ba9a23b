import { trimText } from '#domain/blank-text.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { optionId } from '#web/editor/publish-targets.ts'
import { TextField } from '#web/ui/text-field.tsx'

/** The name by which later texts insert the reply to a question. */
export const LabelField = ({
  question_id,
  label,
  title,
  onChange,
}: {
  question_id: string
  label: string
  /** 'Question 2'. */
  title: string
  onChange: (options: { label: string | null }) => void
}) => {
  const name = trimText(label)
  return (
    <TextField
      id={optionId(question_id, 'label')}
      label={`Nom court – ${title}`}
      hideLabel
      placeholder="Nom court, par exemple prénom"
      autoComplete="off"
      value={label}
      maxLength={LIMITS.question_label}
      hint={
        name
          ? `Les textes qui suivent insèrent la réponse par {{${name}}}.`
          : 'Les textes qui suivent insèrent la réponse par ce nom.'
      }
      onChange={({ currentTarget: { value } }) => onChange({ label: value === '' ? null : value })}
    />
  )
}
