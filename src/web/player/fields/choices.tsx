/** @jsxImportSource #web/player */
import type { ReactNode } from 'react'
import { canChooseSeveral, otherText } from '#domain/run/replies.ts'
import { PictureSlot } from '#web/player/content/picture-slot.tsx'
import { parts } from '#web/player/parts.ts'
import { describingIds, type FieldProps } from './field-props.ts'
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
    aria-describedby={describingIds(field, hasHint)}
  >
    <legend className="q-question" dir="auto">
      <QuestionText {...field} />
    </legend>
    <QuestionIntro {...field} />
    {/* The empty value says that no answer is chosen any more. */}
    {canBeTakenBack(field) && <input type="hidden" name={field.question.id} />}
    {children}
    {parts.ClearChoice?.(field)}
    <FieldError {...field} />
  </fieldset>
)

const canBeTakenBack = ({ question }: FieldProps): boolean =>
  canChooseSeveral(question) || question.is_required === false

/** Renders a multiple-choice question, with one answer or several. */
export const Choices = (field: FieldProps) => {
  const { question, orderAnswers } = field
  const { id: name, shuffles_answers } = question
  const isSeveral = canChooseSeveral(question)
  const reply_parts = [field.reply].flat()
  const box = (value: string, isChosen: boolean) => ({
    name,
    value,
    defaultChecked: isChosen,
    ...(isSeveral
      ? { type: 'checkbox', ...parts.fullBoxProps?.(field, value) }
      : { type: 'radio', required: question.is_required !== false }),
  })
  const hasPictures = question.answers.some(({ image_id }) => image_id)
  const answers = (shuffles_answers && orderAnswers?.(question)) || question.answers
  const names = [hasPictures && 'q-grid', shuffles_answers && !orderAnswers && 'q-undrawn']
  const other = reply_parts.map(otherText).find((text) => text !== undefined)
  const choices = (
    <>
      {answers.map((answer) => (
        <label key={answer.id} className={hasPictures ? 'q-choice q-card' : 'q-choice'}>
          <PictureSlot
            image_id={answer.image_id}
            image_alt={answer.image_alt}
            sizes="(min-width:40rem) 20rem,50vw"
          />
          <input {...box(answer.id, reply_parts.includes(answer.id))} />
          <span dir="auto">{answer.text}</span>
        </label>
      ))}
      {question.has_other && parts.OtherChoice?.({ field, box, text: other })}
    </>
  )
  return (
    <ChoiceGroup field={field} hasHint={isSeveral}>
      {isSeveral && parts.ChoiceHint?.(field)}
      {hasPictures || shuffles_answers ? (
        <div className={names.filter(Boolean).join(' ') || undefined}>{choices}</div>
      ) : (
        choices
      )}
    </ChoiceGroup>
  )
}
