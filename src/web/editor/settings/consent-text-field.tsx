import { type ReactNode, useState } from 'react'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { DisappearingButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

/** Edits the text of a consent box. An empty text and the default text are stored as null. */
export const ConsentTextField = ({
  name,
  label,
  stored,
  defaultText,
  onChange,
  children,
}: {
  name: 'consent_text' | 'measure_text'
  label: string
  /** Text of the quiz; null for the default text. */
  stored: string | null
  defaultText: string
  onChange: (text: string | null) => void
  /** Renders advice about the shown text, which `onReplace` changes. */
  children?: (text: string, onReplace: (text: string) => void) => ReactNode
}) => {
  // Typed text; null while the field shows the text of the quiz.
  const [typed, setTyped] = useState<string | null>(null)
  const id = pageFieldId(name)
  const text = typed ?? stored ?? defaultText
  const save = (wording: string): void => {
    const trimmed = trimText(wording)
    onChange(trimmed === defaultText ? null : trimmed || null)
  }
  return (
    <>
      <TextField
        multiline
        id={id}
        label={label}
        value={text}
        maxLength={LIMITS.consent_text}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          save(currentTarget.value)
        }}
        onBlur={() => setTyped(null)}
      />
      {children?.(text, (wording) => {
        setTyped(null)
        save(wording)
      })}
      {stored !== null && (
        <DisappearingButton
          next_id={id}
          className="self-start"
          onClick={() => {
            setTyped(null)
            onChange(null)
          }}
        >
          Reprendre le texte proposé
        </DisappearingButton>
      )}
    </>
  )
}
