import { otherText, takesSeveral } from '#domain/replies.ts'
import { ASKS_MORE } from './asked.ts'
import { ChoiceGroup } from './choice-group.tsx'
import type { FieldProps } from './field-props.ts'
import { frenchText } from './french-text.ts'
import { OtherChoice } from './other-choice.tsx'
import { HAS_PARTS } from './parts.ts'
import { Picture } from './picture.tsx'
import { ChoiceHint, limited } from './several.tsx'

/** A multiple-choice question: one answer, or several. */
export const Choices = (field: FieldProps) => {
  const { question, drawAnswers } = field
  const { id: name, shuffles_answers } = question
  const isSeveral = takesSeveral(question)
  const given = ASKS_MORE ? [field.reply].flat() : [`${field.reply}`]
  const box = (value: string, isChosen: boolean) => ({
    name,
    value,
    defaultChecked: isChosen,
    ...(isSeveral
      ? { type: 'checkbox', ...limited(field, value) }
      : { type: 'radio', required: !ASKS_MORE || question.is_required !== false }),
  })
  const hasPictures = HAS_PARTS && question.answers.some(({ image_id }) => image_id)
  const answers = (ASKS_MORE && shuffles_answers && drawAnswers?.(question)) || question.answers
  const names = [hasPictures && 'q-grid', shuffles_answers && !drawAnswers && 'q-undrawn']
  const other = ASKS_MORE ? given.map(otherText).find((text) => text !== undefined) : undefined
  const choices = (
    <>
      {answers.map((answer) => (
        <label key={answer.id} className={hasPictures ? 'q-choice q-card' : 'q-choice'}>
          {HAS_PARTS && (
            <Picture
              image_id={answer.image_id}
              image_alt={answer.image_alt}
              sizes="(min-width:40rem) 20rem,50vw"
            />
          )}
          <input {...box(answer.id, given.includes(answer.id))} />
          <span dir="auto">{frenchText(answer.text)}</span>
        </label>
      ))}
      {ASKS_MORE && question.has_other && <OtherChoice field={field} box={box} text={other} />}
    </>
  )
  return (
    <ChoiceGroup field={field} hasHint={isSeveral}>
      {isSeveral && <ChoiceHint {...field} />}
      {HAS_PARTS && (hasPictures || shuffles_answers) ? (
        <div className={names.filter(Boolean).join(' ') || undefined}>{choices}</div>
      ) : (
        choices
      )}
    </ChoiceGroup>
  )
}
