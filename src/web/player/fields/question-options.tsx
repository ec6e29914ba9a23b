/** @jsxImportSource #web/player */
import {
  canChooseSeveral,
  maxChoicesOf,
  OTHER,
  OTHER_NAME,
  otherField,
  otherText,
} from '#domain/run/replies.ts'
import { type FieldProps, partId } from './field-props.ts'
import type { Field } from './page-fields.ts'
import './question-options.css'
import type { MouseEvent } from 'react'
import { isBlankText } from '#domain/common/text.ts'
import { MAX_OTHER_TEXT_LENGTH } from '#domain/common/vocabulary.ts'
import type { RichQuestion } from '#domain/run/rich-text.ts'
import { type OtherChoiceProps, parts } from '#web/player/parts.ts'

/** Renders a button that clears an optional answer, because a radio button cannot be unticked. */
export const ClearChoice = ({ question, current, is_live, is_finished }: FieldProps) => {
  const isOffered = is_live && !is_finished && question.is_required === false && current !== ''
  if (!isOffered || canChooseSeveral(question)) return null
  return (
    <button
      type="button"
      className="q-missing-link"
      onClick={({ currentTarget }) => {
        const chosen = currentTarget.form?.querySelector<HTMLInputElement>(
          `[name="${question.id}"]:checked`,
        )
        if (!chosen) return
        chosen.checked = false
        // The button disappears with the answer, so the focus moves first.
        chosen.focus()
        chosen.dispatchEvent(new Event('input', { bubbles: true }))
      }}
    >
      Effacer ma réponse
    </button>
  )
}

/** Returns the values of the ticked boxes. « Autre… » counts before its text is typed. */
const tickedValues = ({ current }: FieldProps): string[] =>
  [current].flat().flatMap((part) => {
    if (part === '') return []
    return otherText(part) === undefined ? part : OTHER
  })

const hasLimit = (question: RichQuestion): boolean =>
  maxChoicesOf(question) < question.answers.length + (question.has_other ? 1 : 0)

const isFull = (field: FieldProps): boolean =>
  hasLimit(field.question) && tickedValues(field).length >= maxChoicesOf(field.question)

/**
 * Returns the props of a box that can no longer be ticked. The box stays focusable, so that a screen reader reaches
 * it.
 */
export const fullBoxProps = (field: FieldProps, value: string) =>
  isFull(field) && !tickedValues(field).includes(value)
    ? { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }
    : {}

/** Renders how many answers may be chosen, and announces when no more may be chosen. */
export const ChoiceHint = (field: FieldProps) => {
  const { question, quiz } = field
  const max = maxChoicesOf(question)
  const choose = 'décochez-en une pour en choisir une autre.'
  return (
    <>
      <p id={partId(question, 'hint')} className="q-help">
        {hasLimit(question) ? `Jusqu’à ${max} réponses` : 'Plusieurs réponses possibles'}
      </p>
      <p className="q-said" role="status">
        {isFull(field) &&
          `${max} réponses choisies, c’est le maximum : ${parts.wordingOf(quiz, choose)}`}
      </p>
    </>
  )
}

/** Renders « Autre… », the last choice, and its text field. */
export const OtherChoice = ({ field, box, text }: OtherChoiceProps) => {
  /** True between a press of the label and the input event that it causes. A render creates both handlers again. */
  let wasPressed = false
  const { question, quiz, error_message } = field
  return (
    <div className="q-choice q-other">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users reach the text with Tab, and a moved focus would prevent the arrow keys from choosing another radio. */}
      <label
        onClick={({ detail }) => {
          wasPressed ||= detail > 0
        }}
      >
        <input
          {...box(OTHER, text !== undefined)}
          onInput={({ currentTarget }) => {
            const typed = currentTarget.closest('.q-other')?.querySelector<Field>('.q-input')
            if (wasPressed) typed?.focus()
            wasPressed = false
          }}
        />
        <span>{`${OTHER_NAME}…`}</span>
      </label>
      <input
        className="q-input"
        name={otherField(question.id)}
        defaultValue={text}
        aria-label={`${OTHER_NAME} : ${parts.wordingOf(quiz, 'précisez')}`}
        aria-invalid={error_message ? true : undefined}
        aria-describedby={error_message && partId(question, 'error')}
        maxLength={MAX_OTHER_TEXT_LENGTH}
        autoComplete="off"
        enterKeyHint="next"
        dir="auto"
        onInput={({ currentTarget }) => {
          const own = currentTarget.parentElement?.querySelector('input')
          if (own) own.checked = true
        }}
      />
    </div>
  )
}

/** Returns the error of a chosen « Autre… » without a text. */
export const missingTextError = (): string => 'Écrivez votre réponse à côté de « Autre… ».'

/** Returns the blank text field of the first chosen « Autre… » of a page. */
export const findBlankOther = (page: HTMLElement): HTMLInputElement | undefined =>
  [...page.querySelectorAll<HTMLInputElement>('.q-other .q-input')].find(
    ({ parentElement, value }) => parentElement?.querySelector(':checked') && isBlankText(value),
  )

/** Returns true for the text of an « Autre… » that is not chosen. */
export const isUnchosenOther = (field: Field): boolean =>
  field.matches('.q-other>.q-input') && !field.parentElement?.querySelector(':checked')
