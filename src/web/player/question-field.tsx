import type { ComponentProps } from 'react'
import type { SnapshotQuestion } from '#domain/snapshot.ts'
import { LONGEST_EMAIL, LONGEST_TYPED_ANSWER, type QuestionType } from '#domain/vocabulary.ts'

type Props = {
  question: SnapshotQuestion
  /** What the field starts with; from then on the browser keeps the value. */
  reply: string
}

const PLACEHOLDER = 'Votre réponse...'

const INPUTS: Record<
  Exclude<QuestionType, 'multiple_choice' | 'textarea'>,
  ComponentProps<'input'>
> = {
  text: { type: 'text', placeholder: PLACEHOLDER, maxLength: LONGEST_TYPED_ANSWER },
  email: {
    type: 'email',
    placeholder: 'nom@exemple.fr',
    autoComplete: 'email',
    maxLength: LONGEST_EMAIL,
  },
  phone: {
    type: 'tel',
    placeholder: '06 12 34 56 78',
    autoComplete: 'tel',
    maxLength: LONGEST_TYPED_ANSWER,
  },
  number: { type: 'number', placeholder: '123', inputMode: 'decimal', step: 'any' },
}

/** One question of a page. Its fields bear the question's id as their name. */
export const QuestionField = ({ question, reply }: Props) =>
  question.type === 'multiple_choice' ? (
    <Choices question={question} reply={reply} />
  ) : (
    <div className="q-item">
      <label className="q-question" htmlFor={fieldId(question)}>
        {question.text}
      </label>
      <TypedField question={question} reply={reply} />
    </div>
  )

const fieldId = ({ id }: SnapshotQuestion): string => `q-${id}`

const TypedField = ({ question, reply }: Props) => {
  const common = {
    id: fieldId(question),
    name: question.id,
    className: 'q-input',
    defaultValue: reply,
    required: true,
  }
  if (question.type === 'multiple_choice') return null
  if (question.type === 'textarea')
    return (
      <textarea {...common} rows={4} placeholder={PLACEHOLDER} maxLength={LONGEST_TYPED_ANSWER} />
    )
  return (
    <input
      {...common}
      {...INPUTS[question.type]}
      enterKeyHint="next"
      // A wheel over a focused number would change it unseen.
      onWheel={question.type === 'number' ? (event) => event.currentTarget.blur() : undefined}
    />
  )
}

const Choices = ({ question, reply }: Props) => (
  <fieldset className="q-item q-choices">
    <legend className="q-question">{question.text}</legend>
    {question.answers.map((answer) => (
      <label key={answer.id} className="q-choice">
        <input
          type="radio"
          name={question.id}
          value={answer.id}
          defaultChecked={answer.id === reply}
          required
        />
        <span>{answer.text}</span>
      </label>
    ))}
  </fieldset>
)
