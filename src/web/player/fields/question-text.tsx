import { HAS_PAGE_OPTIONS } from '#web/player/content/has-page-options.ts'
import { HAS_QUESTION_OPTIONS } from '#web/player/content/has-question-options.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { FilledLine } from '#web/player/content/rich-text.tsx'
import { type FieldProps, helpOf, partId } from './field-props.ts'
import { Help } from './question-options.tsx'

/** Renders the text of a question. */
export const QuestionText = ({ question, insertions }: FieldProps) => (
  <>
    <FilledLine text={question.text} insertions={insertions} />
    {HAS_QUESTION_OPTIONS && question.is_required === false && (
      <span className="q-optional"> (facultatif)</span>
    )}
  </>
)

/** Renders the help text and the picture between a question and its field. */
export const QuestionIntro = ({ question, insertions }: FieldProps) =>
  HAS_PAGE_OPTIONS ? (
    <>
      <Help id={partId(question, 'help')} text={helpOf(question)} insertions={insertions} />
      <Picture image_id={question.image_id} image_alt={question.image_alt} />
    </>
  ) : null

/** Renders the error of a field, announced at once. */
export const FieldError = ({ question, fault }: FieldProps) =>
  fault ? (
    <p id={partId(question, 'error')} className="q-error" role="alert">
      {fault}
    </p>
  ) : null
