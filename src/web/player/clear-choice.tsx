import { takesSeveral } from '#domain/replies.ts'
import type { FieldProps } from './field-props.ts'
import './asked.css'

/** Takes an answer back that may be left blank: a radio cannot be unticked. */
export const ClearChoice = ({ question, current, is_live, is_finished }: FieldProps) => {
  const isOffered = is_live && !is_finished && question.is_required === false && current !== ''
  if (!isOffered || takesSeveral(question)) return null
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
        // This button goes with the answer.
        chosen.focus()
        chosen.dispatchEvent(new Event('input', { bubbles: true }))
      }}
    >
      Effacer ma réponse
    </button>
  )
}
