/** @jsxImportSource #web/player */
import { MAX_TYPED_ANSWER_LENGTH } from '#domain/common/vocabulary.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { parts, type QuestionFieldProps } from '#web/player/parts.ts'
import { Choices } from './choices.tsx'
import { describingIds } from './field-props.ts'
import { FieldError, QuestionIntro, QuestionText } from './question-text.tsx'

/** Renders one question of a page. The name of its fields is the question's id. */
export const QuestionField = (props: QuestionFieldProps) => {
  const { question } = props
  if (isChoice(question)) return <Choices {...props} />
  if (question.type === 'scale') return parts.Scale?.(props)
  const id = `q-${question.id}`
  return (
    <div className="q-item">
      <label className="q-question" dir="auto" htmlFor={id}>
        <QuestionText {...props} />
      </label>
      <QuestionIntro {...props} />
      <InputField {...props} id={id} />
      <FieldError {...props} />
      {parts.FieldNote?.(props)}
    </div>
  )
}

const InputField = (props: QuestionFieldProps & { id: string }) => {
  const { id, quiz, question, reply, error_message, is_finished } = props
  const common = {
    id,
    'aria-invalid': error_message ? true : undefined,
    'aria-describedby': describingIds(props),
    name: question.id,
    autoComplete: question.autocomplete,
    className: 'q-input',
    defaultValue: String(reply),
    required: question.is_required !== false,
    disabled: is_finished,
    dir: 'auto',
    placeholder: parts.wordingOf(quiz, 'Votre réponse...'),
    maxLength: MAX_TYPED_ANSWER_LENGTH,
  }
  if (question.type === 'textarea') return <textarea {...common} rows={4} />
  const format = question.type === 'text' ? undefined : parts.formatProps?.(props)
  return <input {...common} type="text" enterKeyHint="next" {...format} />
}
