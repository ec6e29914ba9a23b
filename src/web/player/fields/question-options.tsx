import {
  canChooseSeveral,
  maxChoicesOf,
  OTHER,
  OTHER_NAME,
  otherField,
  otherText,
} from '#domain/run/replies.ts'
import { type FieldProps, partId } from './field-props.ts'
import './question-options.css'
import { type ComponentProps, type MouseEvent, useRef } from 'react'
import { isBlankText } from '#domain/common/text.ts'
import { MAX_OTHER_TEXT_LENGTH } from '#domain/common/vocabulary.ts'
import type { Insertions, RichQuestion, RichText } from '#domain/run/rich-text.ts'
import { ChangingText, RichTextElement } from '#web/player/content/rich-text.tsx'

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
const ticked = ({ current }: FieldProps): string[] =>
  [current].flat().flatMap((part) => {
    if (part === '') return []
    return otherText(part) === undefined ? part : OTHER
  })

const hasLimit = (question: RichQuestion): boolean =>
  maxChoicesOf(question) < question.answers.length + (question.has_other ? 1 : 0)

const isFull = (field: FieldProps): boolean =>
  hasLimit(field.question) && ticked(field).length >= maxChoicesOf(field.question)

/**
 * Returns the props of a box that can no longer be ticked. The box stays focusable, so that a screen reader reaches
 * it.
 */
export const fullBoxProps = (field: FieldProps, value: string) =>
  isFull(field) && !ticked(field).includes(value)
    ? { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }
    : {}

/** Renders how many answers may be chosen, and announces when no more may be chosen. */
export const ChoiceHint = (field: FieldProps) => {
  const { question } = field
  const most = maxChoicesOf(question)
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

/** Renders the help text of a question. */
export const Help = ({
  id,
  text,
  insertions,
}: {
  id: string
  text: RichText | null | undefined
  insertions: Insertions | null
}) =>
  text ? <RichTextElement id={id} className="q-text q-help" {...{ text, insertions }} /> : null

type Props = {
  field: FieldProps
  /** Returns the props of the radio button or checkbox of a value. */
  box: (value: string, isChosen: boolean) => ComponentProps<'input'>
  /** The typed text; undefined if « Autre… » is not chosen. */
  text: string | undefined
}

/** Renders « Autre… », the last choice, and its text field. */
export const OtherChoice = ({ field, box, text }: Props) => {
  const typed = useRef<HTMLInputElement>(null)
  const wasPressed = useRef(false)
  const { question, fault } = field
  return (
    <div className="q-choice q-other">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users reach the text with Tab, and a moved focus would prevent the arrow keys from choosing another radio. */}
      <label
        onClick={({ detail }) => {
          wasPressed.current ||= detail > 0
        }}
      >
        <input
          {...box(OTHER, text !== undefined)}
          onInput={() => {
            if (wasPressed.current) typed.current?.focus()
            wasPressed.current = false
          }}
        />
        <span>{`${OTHER_NAME}…`}</span>
      </label>
      <input
        ref={typed}
        className="q-input"
        name={otherField(question.id)}
        defaultValue={text}
        aria-label={`${OTHER_NAME} : précisez`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault && partId(question, 'error')}
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
export const missingTextError = (): string => `Écrivez votre réponse à côté de « ${OTHER_NAME}… ».`

/** Returns the blank text field of the first chosen « Autre… » of a form. */
export const findBlankOther = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.querySelectorAll<HTMLInputElement>('.q-other .q-input')].find(
    ({ parentElement, value }) => parentElement?.querySelector(':checked') && isBlankText(value),
  )
