/** @jsxImportSource #web/player */
import type { ComponentProps } from 'react'
import { cleanEmail } from '#domain/common/addresses.ts'
import { LATEST_DAY } from '#domain/common/days.ts'
import { NUMBER_PATTERN } from '#domain/common/numbers.ts'
import { MAX_EMAIL_LENGTH, type QuestionType } from '#domain/common/vocabulary.ts'
import { CONSENT_FIELD, MEASURE_MARK } from '#domain/questionnaire/consent/consent.ts'
import type { Consent } from '#domain/questionnaire/snapshot.ts'
import { ACCENTED_EMAIL, EMAIL_PATTERN, WRONG_FORMAT } from '#domain/run/field-formats.ts'
import { CreatorLine } from '#web/player/content/texts.tsx'
import { type FormatParts, parts, type QuestionFieldProps } from '#web/player/parts.ts'
import type { Field } from './page-fields.ts'
import './formats.css'

const INPUTS: Partial<Record<QuestionType, ComponentProps<'input'>>> = {
  email: {
    type: 'email',
    placeholder: 'nom@exemple.fr',
    maxLength: MAX_EMAIL_LENGTH,
    pattern: EMAIL_PATTERN,
  },
  // No `inputMode`, because the keypad that it opens on iOS has no minus sign.
  number: {
    placeholder: '123',
    step: 'any',
    pattern: NUMBER_PATTERN,
    // Scrolling over a focused number field would change its value.
    onWheel: (event) => event.currentTarget.blur(),
  },
  date: { type: 'date', max: LATEST_DAY },
}

/** Returns the attributes of the field of an address, a phone number, a number or a day. */
export const formatProps: FormatParts['formatProps'] = (field) => {
  const { type } = field.question
  return {
    // A number field drops the comma, so that 3,5 would become 35; only a script can prevent that.
    ...(field.is_live && type === 'number' && { type }),
    ...(type === 'phone' ? parts.phoneProps?.(field) : INPUTS[type]),
    ...(type === 'email' && parts.emailProps?.(field)),
    title: parts.wordingOf(field.quiz, WRONG_FORMAT[type] ?? ''),
  }
}

/** Returns the message for a reply in a wrong format. */
export const formatError: FormatParts['formatError'] = ({ type }, reply) => {
  const isAccented = type === 'email' && /^[ -~]*[^ -~].*@/.test(`${reply}`)
  return isAccented ? ACCENTED_EMAIL : WRONG_FORMAT[type]
}

/** Removes the invisible characters around pasted addresses, and completes years of two digits once the second file is there. */
export const cleanFields: FormatParts['cleanFields'] = (page) => {
  for (const field of page.querySelectorAll<Field>('[type=email]'))
    field.value = cleanEmail(field.value)
  parts.completeYears?.(page)
}

/** Renders the checkbox of a consent, whose hidden field is submitted with an unticked box too, and proves that the box was shown. */
const ConsentBox = ({
  field: { is_finished, consent_reply },
  consent: { version, text },
  mark = '',
  unticked = mark,
}: {
  field: QuestionFieldProps
  consent: Consent
  mark?: string
  unticked?: string
}) => (
  <label className="q-choice q-consent">
    <input type="hidden" name={CONSENT_FIELD} value={unticked} />
    <input
      type="checkbox"
      name={CONSENT_FIELD}
      value={mark + version}
      defaultChecked={consent_reply.split(',').includes(mark + version)}
      disabled={is_finished}
    />
    <span dir="auto">
      <CreatorLine text={text} insertions={null} />
    </span>
  </label>
)

/** Renders the checkboxes of the consents below an address, and the note below a phone number. */
export const FieldNote: FormatParts['FieldNote'] = (field) => {
  const { consent, measure } = field.question
  return consent || measure ? (
    <>
      {consent && <ConsentBox field={field} consent={consent} unticked={measure && '0'} />}
      {measure && <ConsentBox field={field} consent={measure} mark={MEASURE_MARK} />}
    </>
  ) : (
    parts.PhoneNote?.(field)
  )
}
