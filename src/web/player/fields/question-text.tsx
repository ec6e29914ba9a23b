/** @jsxImportSource #web/player */
import { PictureSlot } from '#web/player/content/picture-slot.tsx'
import { CreatorLine, CreatorText } from '#web/player/content/texts.tsx'
import { type FieldProps, helpOf, partId } from './field-props.ts'

/** Renders the text of a question. */
export const QuestionText = ({ question, insertions }: FieldProps) => (
  <>
    <CreatorLine text={question.text} insertions={insertions} />
    {question.is_required === false && <span className="q-optional"> (facultatif)</span>}
  </>
)

/** Renders the help text and the picture between a question and its field. */
export const QuestionIntro = ({ question, insertions }: FieldProps) => (
  <>
    {helpOf(question) && (
      <CreatorText
        id={partId(question, 'help')}
        className="q-text q-help"
        text={helpOf(question) ?? ''}
        insertions={insertions}
      />
    )}
    <PictureSlot image_id={question.image_id} image_alt={question.image_alt} />
  </>
)

/** Renders the error of a field, announced at once, and the correction of its reply. */
export const FieldError = ({ question, error_message, correction }: FieldProps) => (
  <>
    {error_message && (
      <p id={partId(question, 'error')} className="q-error" role="alert">
        {error_message}
      </p>
    )}
    {correction}
  </>
)
