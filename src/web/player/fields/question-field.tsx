/** @jsxImportSource #web/player */
import type { ComponentProps } from 'react'
import { NUMBER_PATTERN } from '#domain/common/numbers.ts'
import {
  MAX_EMAIL_LENGTH,
  MAX_TYPED_ANSWER_LENGTH,
  type QuestionType,
} from '#domain/common/vocabulary.ts'
import { CONSENT_FIELD } from '#domain/questionnaire/consent.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { EMAIL_PATTERN, PHONE_PATTERN, WRONG_DAY, WRONG_FORMAT } from '#domain/run/field-formats.ts'
import { CreatorLine } from '#web/player/content/texts.tsx'
import { parts } from '#web/player/parts.ts'
import { Choices } from './choices.tsx'
import { describingIds, type FieldProps } from './field-props.ts'
import { FieldError, QuestionIntro, QuestionText } from './question-text.tsx'

type Props = FieldProps & {
  /** The version of the accepted consent text; '' without consent. */
  agreed: string
}

const PLACEHOLDER = 'Votre réponse...'

const INPUTS: Record<
  Exclude<QuestionType, 'multiple_choice' | 'textarea' | 'scale' | 'date'>,
  ComponentProps<'input'>
> = {
  text: { placeholder: PLACEHOLDER, maxLength: MAX_TYPED_ANSWER_LENGTH },
  email: {
    type: 'email',
    placeholder: 'nom@exemple.fr',
    maxLength: MAX_EMAIL_LENGTH,
    pattern: EMAIL_PATTERN,
  },
  phone: {
    type: 'tel',
    placeholder: '06 12 34 56 78',
    maxLength: MAX_TYPED_ANSWER_LENGTH,
    pattern: PHONE_PATTERN,
  },
  number: { placeholder: '123', inputMode: 'decimal', step: 'any', pattern: NUMBER_PATTERN },
}

/** Years have four digits, because every reader of the exported dates accepts four. */
const DAY = { type: 'date', max: '9999-12-31' }

/** Renders one question of a page. The name of its fields is the question's id. */
export const QuestionField = (props: Props) => {
  const { question, is_finished, agreed } = props
  if (isChoice(question)) return <Choices {...props} />
  if (question.type === 'scale') return parts.Scale?.(props)
  const id = `q-${question.id}`
  return (
    <div className="q-item">
      <label className="q-question" dir="auto" htmlFor={id}>
        <QuestionText {...props} />
      </label>
      <QuestionIntro {...props} />
      <TypedField {...props} id={id} />
      <FieldError {...props} />
      {question.consent && (
        <label className="q-choice q-consent">
          {/* The hidden field is submitted with an unticked box too, and proves that the box was shown. */}
          <input type="hidden" name={CONSENT_FIELD} />
          <input
            type="checkbox"
            name={CONSENT_FIELD}
            value={question.consent.version}
            defaultChecked={agreed === `${question.consent.version}`}
            disabled={is_finished}
          />
          <span dir="auto">
            <CreatorLine text={question.consent.text} insertions={null} />
          </span>
        </label>
      )}
    </div>
  )
}

const TypedField = (props: Props & { id: string }) => {
  const { id, question, reply, fault, is_finished, is_live } = props
  const { type } = question
  const common = {
    id,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': describingIds(props),
    name: question.id,
    autoComplete: question.autocomplete,
    className: 'q-input',
    defaultValue: String(reply),
    required: question.is_required !== false,
    disabled: is_finished,
    dir: 'auto',
  }
  if (type === 'textarea')
    return (
      <textarea
        {...common}
        rows={4}
        placeholder={PLACEHOLDER}
        maxLength={MAX_TYPED_ANSWER_LENGTH}
      />
    )
  return (
    <input
      {...common}
      // A number field drops the comma, so that 3,5 would become 35; only a script can prevent that.
      type={is_live && type === 'number' ? 'number' : 'text'}
      {...(type === 'date' ? DAY : INPUTS[type as keyof typeof INPUTS])}
      title={type === 'date' ? WRONG_DAY : WRONG_FORMAT[type]}
      enterKeyHint="next"
      // Scrolling over a focused number field would change its value.
      onWheel={type === 'number' ? (event) => event.currentTarget.blur() : undefined}
    />
  )
}
