import type { ComponentProps } from 'react'
import { CONSENT } from '#domain/consent.ts'
import type { Insertions } from '#domain/insertions.ts'
import { NUMBER_PATTERN } from '#domain/numbers.ts'
import { isChoice } from '#domain/quiz.ts'
import type { SnapshotQuestion } from '#domain/snapshot.ts'
import { PHONE_PATTERN, WRONG_FORMAT } from '#domain/taking.ts'
import { LONGEST_EMAIL, LONGEST_TYPED_ANSWER, type QuestionType } from '#domain/vocabulary.ts'
import { frenchText, linkedText } from './french-text.ts'
import { Picture } from './picture.tsx'
import { FilledText } from './rich-words.tsx'

type Props = {
  question: SnapshotQuestion
  insertions: Insertions | null
  /** The initial value of the uncontrolled field. */
  reply: string
  /** The version of the consent text that was agreed to, if any. */
  agreed: string
  /** Whether the reply is given, so that the field is read-only. */
  is_finished: boolean
  /** Whether a script runs. */
  is_live: boolean
  /** Whether the format of the reply is invalid. */
  is_wrong: boolean
  /** Whether it is the first that a visitor sees. */
  is_first: boolean
}

const PLACEHOLDER = 'Votre réponse...'

const INPUTS: Record<Exclude<QuestionType, 'textarea'>, ComponentProps<'input'>> = {
  multiple_choice: {},
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
    pattern: PHONE_PATTERN,
  },
  scale: {},
  date: { type: 'date' },
  number: { placeholder: '123', inputMode: 'decimal', step: 'any', pattern: NUMBER_PATTERN },
}

/** One question of a page. The name of its fields is the question's id. */
export const QuestionField = (props: Props) => {
  const { question, insertions, is_wrong, is_finished, agreed } = props
  if (isChoice(question)) return <Choices {...props} />
  const id = `q-${question.id}`
  const error_id = `${id}-error`
  return (
    <div className="q-item">
      <label className="q-question" dir="auto" htmlFor={id}>
        <FilledText text={question.text} insertions={insertions} />
      </label>
      <QuestionPicture {...props} />
      <TypedField
        {...props}
        field={{
          id,
          'aria-invalid': is_wrong || undefined,
          'aria-describedby': is_wrong ? error_id : undefined,
        }}
      />
      {is_wrong && (
        <p id={error_id} className="q-error" role="alert">
          {WRONG_FORMAT[question.type]}
        </p>
      )}
      {question.consent && (
        <label className="q-choice q-consent">
          {/* Submitted with an unticked box too: it shows that the box was there. */}
          <input type="hidden" name={CONSENT} />
          <input
            type="checkbox"
            name={CONSENT}
            value={question.consent.version}
            defaultChecked={agreed === `${question.consent.version}`}
            disabled={is_finished}
          />
          <span dir="auto">{linkedText(question.consent.text)}</span>
        </label>
      )}
    </div>
  )
}

type FieldProps = Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'>

const TypedField = ({
  question,
  reply,
  is_finished,
  is_live,
  field,
}: Props & { field: FieldProps }) => {
  const common = {
    ...field,
    name: question.id,
    className: 'q-input',
    defaultValue: reply,
    required: true,
    disabled: is_finished,
    dir: 'auto',
  }
  if (question.type === 'textarea')
    return (
      <textarea {...common} rows={4} placeholder={PLACEHOLDER} maxLength={LONGEST_TYPED_ANSWER} />
    )
  return (
    <input
      {...common}
      // A number field drops the comma, so that 3,5 would become 35; only a script can prevent that.
      type={is_live && question.type === 'number' ? 'number' : 'text'}
      {...INPUTS[question.type]}
      title={WRONG_FORMAT[question.type]}
      enterKeyHint="next"
      // Scrolling over a focused number field would change its value.
      onWheel={question.type === 'number' ? (event) => event.currentTarget.blur() : undefined}
    />
  )
}

const QuestionPicture = ({ question: { image_id, image_alt }, is_first }: Props) => (
  <Picture image_id={image_id} image_alt={image_alt} is_first={is_first} />
)

const Choices = (props: Props) => {
  const { question, insertions, reply, is_finished, is_first } = props
  const hasPictures = question.answers.some(({ image_id }) => image_id)
  const choices = question.answers.map((answer) => (
    <label key={answer.id} className={hasPictures ? 'q-choice q-card' : 'q-choice'}>
      <Picture
        image_id={answer.image_id}
        image_alt={answer.image_alt}
        is_first={is_first}
        sizes="(min-width:40rem) 20rem,50vw"
      />
      <input
        type="radio"
        name={question.id}
        value={answer.id}
        defaultChecked={answer.id === reply}
        required
      />
      <span dir="auto">{frenchText(answer.text)}</span>
    </label>
  ))
  return (
    <fieldset className="q-item" id={`q-${question.id}`} disabled={is_finished}>
      <legend className="q-question" dir="auto">
        <FilledText text={question.text} insertions={insertions} />
      </legend>
      <QuestionPicture {...props} />
      {hasPictures ? <div className="q-grid">{choices}</div> : choices}
    </fieldset>
  )
}
