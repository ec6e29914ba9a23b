import type { ComponentProps } from 'react'
import { CONTROL, Field, type FieldTexts } from './field.tsx'

type SingleLine = { multiline?: false } & ComponentProps<'input'>
type MultiLine = { multiline: true } & ComponentProps<'textarea'>

/** A labelled text field; `multiline` grows with its text. */
export const TextField = (props: FieldTexts & (SingleLine | MultiLine)) => {
  const { label, hideLabel, error, hint, value, maxLength } = props
  // Browsers cut a pasted text at the limit without a message.
  const isFull = typeof value === 'string' && value.length >= (maxLength ?? Infinity)
  const full = `Limite atteinte : ${maxLength?.toLocaleString('fr-FR')} caractères au plus.`
  return (
    <Field
      id={props.id}
      label={label}
      hideLabel={hideLabel}
      error={error ?? (isFull ? full : undefined)}
      hint={hint}
    >
      {(attributes) => <Control props={props} attributes={attributes} />}
    </Field>
  )
}

const Control = ({
  props,
  attributes,
}: {
  props: FieldTexts & (SingleLine | MultiLine)
  attributes: { id: string }
}) => {
  if (props.multiline) {
    const { multiline, label, hideLabel, error, hint, className = '', ...rest } = props
    return (
      <textarea
        dir="auto"
        {...rest}
        {...attributes}
        className={`${CONTROL} field-sizing-content resize-none py-2 ${className}`}
      />
    )
  }
  const { multiline, label, hideLabel, error, hint, className = '', ...rest } = props
  return <input dir="auto" {...rest} {...attributes} className={`${CONTROL} h-10 ${className}`} />
}
