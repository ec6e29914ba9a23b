import { ASKS_MORE } from './asked.ts'
import { type FieldProps, helpOf, partId } from './field-props.ts'
import { Help } from './help.tsx'
import { HAS_PARTS } from './parts.ts'
import { Picture } from './picture.tsx'
import { FilledText } from './rich-words.tsx'

/** What is asked. */
export const QuestionWords = ({ question, insertions }: FieldProps) => (
  <>
    <FilledText text={question.text} insertions={insertions} />
    {ASKS_MORE && question.is_required === false && (
      <span className="q-optional"> (facultatif)</span>
    )}
  </>
)

/** What stands between a question and its field. */
export const BeforeField = ({ question, insertions }: FieldProps) =>
  HAS_PARTS ? (
    <>
      <Help id={partId(question, 'help')} text={helpOf(question)} insertions={insertions} />
      <Picture image_id={question.image_id} image_alt={question.image_alt} />
    </>
  ) : null

export const Fault = ({ question, fault }: FieldProps) =>
  fault ? (
    <p id={partId(question, 'error')} className="q-error" role="alert">
      {fault}
    </p>
  ) : null
