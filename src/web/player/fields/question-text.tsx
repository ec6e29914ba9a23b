/** @jsxImportSource #web/player */
import { PlaceOfPicture } from '#web/player/content/place-of-picture.tsx'
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
    <PlaceOfPicture image_id={question.image_id} image_alt={question.image_alt} />
  </>
)

/** Renders the error of a field, announced at once, and the correction of its reply. */
export const FieldError = ({ question, fault, correction }: FieldProps) => (
  <>
    {fault && (
      <p id={partId(question, 'error')} className="q-error" role="alert">
        {fault}
      </p>
    )}
    {correction}
  </>
)
