import type { MouseEvent } from 'react'
import { mostChoices, OTHER, otherText } from '#domain/replies.ts'
import type { RichQuestion } from '#domain/rich-text.ts'
import { ChangingText } from './changing-text.tsx'
import { type FieldProps, partId } from './field-props.ts'
import './asked.css'

/** The boxes that are ticked, by their values; « Autre… » is one before its text is typed, too. */
const ticked = ({ current }: FieldProps): string[] =>
  [current].flat().flatMap((part) => {
    if (part === '') return []
    return otherText(part) === undefined ? part : OTHER
  })

const hasLimit = (question: RichQuestion): boolean =>
  mostChoices(question) < question.answers.length + (question.has_other ? 1 : 0)

const isFull = (field: FieldProps): boolean =>
  hasLimit(field.question) && ticked(field).length >= mostChoices(field.question)

/** A box that can no longer be ticked stays in the order of the keys, where it says so. */
export const limited = (field: FieldProps, value: string) =>
  isFull(field) && !ticked(field).includes(value)
    ? { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }
    : {}

/** How many answers may be chosen, and that no more may be. */
export const ChoiceHint = (field: FieldProps) => {
  const { question } = field
  const most = mostChoices(question)
  return (
    <>
      <p id={partId(question, 'hint')} className="q-help">
        {hasLimit(question) ? `Jusqu’à ${most} réponses` : 'Plusieurs réponses possibles'}
      </p>
      <p className="q-said" role="status">
        <ChangingText>
          {isFull(field)
            ? `${most} réponses choisies, c’est le maximum : décochez-en une pour en choisir une autre.`
            : ''}
        </ChangingText>
      </p>
    </>
  )
}
