import type { ReactNode } from 'react'
import { canChooseSeveral, otherText } from '#domain/run/replies.ts'
import { HAS_PAGE_OPTIONS } from '#web/player/content/has-page-options.ts'
import { HAS_QUESTION_OPTIONS } from '#web/player/content/has-question-options.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { describingIds, type FieldProps } from './field-props.ts'
import { ChoiceHint, ClearChoice, fullBoxProps, OtherChoice } from './question-options.tsx'
import { FieldError, QuestionIntro, QuestionText } from './question-text.tsx'

/** Renders a question whose answers are chosen from a list. */
export const ChoiceGroup = ({
  field,
  hasHint,
  children,
}: {
  field: FieldProps
  /** True if the children contain an element with the id of the part `hint`. */
  hasHint?: boolean
  children: ReactNode
}) => (
  <fieldset
    className="q-item"
    id={`q-${field.question.id}`}
    disabled={field.is_finished}
    aria-describedby={HAS_QUESTION_OPTIONS ? describingIds(field, hasHint) : undefined}
  >
    <legend className="q-question" dir="auto">
      <QuestionText {...field} />
    </legend>
    {HAS_PAGE_OPTIONS && <QuestionIntro {...field} />}
    {/* The empty value says that no answer is chosen any more. */}
    {HAS_QUESTION_OPTIONS && canBeTakenBack(field) && (
      <input type="hidden" name={field.question.id} />
    )}
    {children}
    {HAS_QUESTION_OPTIONS && <ClearChoice {...field} />}
    {HAS_QUESTION_OPTIONS && <FieldError {...field} />}
  </fieldset>
)

const canBeTakenBack = ({ question }: FieldProps): boolean =>
  canChooseSeveral(question) || question.is_required === false

/** Renders a multiple-choice question, with one answer or several. */
export const Choices = (field: FieldProps) => {
  const { question, orderAnswers } = field
  const { id: name, shuffles_answers } = question
  const isSeveral = canChooseSeveral(question)
  const given = HAS_QUESTION_OPTIONS ? [field.reply].flat() : [`${field.reply}`]
  const box = (value: string, isChosen: boolean) => ({
    name,
    value,
    defaultChecked: isChosen,
    ...(isSeveral
      ? { type: 'checkbox', ...fullBoxProps(field, value) }
      : { type: 'radio', required: !HAS_QUESTION_OPTIONS || question.is_required !== false }),
  })
  const hasPictures = HAS_PAGE_OPTIONS && question.answers.some(({ image_id }) => image_id)
  const answers =
    (HAS_QUESTION_OPTIONS && shuffles_answers && orderAnswers?.(question)) || question.answers
  const names = [hasPictures && 'q-grid', shuffles_answers && !orderAnswers && 'q-undrawn']
  const other = HAS_QUESTION_OPTIONS
    ? given.map(otherText).find((text) => text !== undefined)
    : undefined
  const choices = (
    <>
      {answers.map((answer) => (
        <label key={answer.id} className={hasPictures ? 'q-choice q-card' : 'q-choice'}>
          {HAS_PAGE_OPTIONS && (
            <Picture
              image_id={answer.image_id}
              image_alt={answer.image_alt}
              sizes="(min-width:40rem) 20rem,50vw"
            />
          )}
          <input {...box(answer.id, given.includes(answer.id))} />
          <span dir="auto">{answer.text}</span>
        </label>
      ))}
      {HAS_QUESTION_OPTIONS && question.has_other && (
        <OtherChoice field={field} box={box} text={other} />
      )}
    </>
  )
  return (
    <ChoiceGroup field={field} hasHint={isSeveral}>
      {isSeveral && <ChoiceHint {...field} />}
      {HAS_PAGE_OPTIONS && (hasPictures || shuffles_answers) ? (
        <div className={names.filter(Boolean).join(' ') || undefined}>{choices}</div>
      ) : (
        choices
      )}
    </ChoiceGroup>
  )
}
