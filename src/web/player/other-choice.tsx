import { type ComponentProps, useRef } from 'react'
import { isBlankText } from '#domain/blank-text.ts'
import { otherField } from '#domain/form-replies.ts'
import { OTHER, OTHER_NAME } from '#domain/replies.ts'
import { LONGEST_OTHER_TEXT } from '#domain/vocabulary.ts'
import { type FieldProps, partId } from './field-props.ts'
import './asked.css'

type Props = {
  field: FieldProps
  /** What the radio or the box of a value has. */
  box: (value: string, isChosen: boolean) => ComponentProps<'input'>
  /** What was typed; undefined where it was not chosen. */
  text: string | undefined
}

/** « Autre… », the last choice, and the text that says which. */
export const OtherChoice = ({ field, box, text }: Props) => {
  const typed = useRef<HTMLInputElement>(null)
  const wasPressed = useRef(false)
  const { question, fault } = field
  return (
    <div className="q-choice q-other">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: with the keys the text is the next stop; to be led there would end the choice between radios. */}
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
        maxLength={LONGEST_OTHER_TEXT}
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

export const otherFault = (): string => `Écrivez votre réponse à côté de « ${OTHER_NAME}… ».`

/** The text field of the first chosen « Autre… » of a form that says nothing. */
export const blankOther = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.querySelectorAll<HTMLInputElement>('.q-other .q-input')].find(
    ({ parentElement, value }) => parentElement?.querySelector(':checked') && isBlankText(value),
  )
