/** @jsxImportSource #web/player */
import type { ComponentProps } from 'react'
import { MAX_TYPED_ANSWER_LENGTH } from '#domain/common/vocabulary.ts'
import { PHONE_PATTERN } from '#domain/run/field-formats.ts'
import { type PhoneParts, parts } from '#web/player/parts.ts'
import { describingIds, partId } from './field-props.ts'
import './phone-field.css'

/** Returns the attributes of a phone field, whose events show how its number is read. */
export const phoneProps: PhoneParts['phoneProps'] = (field): ComponentProps<'input'> => {
  const update = (event: { type: string; currentTarget: HTMLInputElement }): void =>
    parts.updateReading?.(field, event)
  return {
    type: 'tel',
    placeholder: '06 12 34 56 78',
    maxLength: MAX_TYPED_ANSWER_LENGTH,
    pattern: PHONE_PATTERN,
    'aria-describedby': describingIds(field, !!field.question.phone),
    onFocus: update,
    onBlur: update,
    onChange: update,
    onInput: update,
  }
}

/**
 * Renders the country of numbers without a country code, and the reading of a reply that the visitor has left. The reading
 * has its place from the beginning, so that nothing moves when it appears.
 */
export const PhoneNote: PhoneParts['PhoneNote'] = (field) => {
  const { question } = field
  return question.phone ? (
    <div id={partId(question, 'hint')} className="q-phone">
      <p>{question.phone.hint}</p>
      <p className="q-reading" role="status">
        {parts.currentReading?.(field)}
      </p>
    </div>
  ) : null
}
