/** @jsxImportSource #web/player */
import { END_TITLE } from '#domain/questionnaire/pages.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import type { RichText } from '#domain/run/rich-text.ts'
import { PictureSlot } from '#web/player/content/picture-slot.tsx'
import { CreatorText } from '#web/player/content/texts.tsx'
import { parts } from '#web/player/parts.ts'
import type { EndProps } from './end-props.ts'
import './ending.css'

type Texts = { title: string | string[]; text?: RichText | null | undefined }

/** Returns the texts of the end. */
const textsOf = ({ snapshot: { quiz }, run: { is_finished, result } }: EndProps): Texts => {
  if (!is_finished) return { title: 'Aucune page disponible' }
  if (isSondage(quiz))
    // Separate texts are not tied, so that the specified title keeps its plain space.
    return {
      title: quiz.end_title ?? parts.wordingOf(quiz, END_TITLE).split(/(!)/),
      text: quiz.end_text,
    }
  return result
    ? { title: result.name, text: result.description }
    : { title: 'Aucun résultat ne correspond à ces réponses' }
}

/** Renders the screen after the last page (product 8.7). A quiz without pages shows this screen only. */
export const Ending = (props: EndProps) => {
  const { snapshot, run, insertions, refusal, links, renderAfterEnd } = props
  const { title, text } = textsOf(props)
  const { quiz } = snapshot
  const { result, is_finished } = run
  return (
    <section className="q-ending">
      <PictureSlot image_id={result?.image_id} image_alt={result?.image_alt} />
      {is_finished && <p dir="auto">{quiz.name}</p>}
      <h1 className="q-title" dir="auto" tabIndex={-1}>
        {title}
      </h1>
      {text && <CreatorText text={text} insertions={insertions} />}
      {parts.Variants?.(props)}
      {parts.Explanation?.(props)}
      {/* The element is empty at first, because screen readers announce text that is added later. */}
      <p className="q-refused" role="status">
        {refusal &&
          (parts.describeRefusal?.(props) ??
            parts.wordingOf(quiz, 'Vos réponses n’ont pas été transmises.'))}
      </p>
      {refusal && links?.resend && (
        <button type="button" className="q-missing-link" onClick={links.resend}>
          Réessayer
        </button>
      )}
      {/* The second file announces here that it has extended a shown end. */}
      {links && <p key="s" className="q-said" role="status" />}
      {parts.EndExtras?.(props)}
      {is_finished && links && (
        <div className="q-steps">
          {parts.ShareLink?.(props)}
          {quiz.allows_restart && (
            <a className="q-link" {...links.restart}>
              {parts.wordingOf(quiz, 'Recommencer')}
            </a>
          )}
        </div>
      )}
      {is_finished && renderAfterEnd?.(run)}
    </section>
  )
}
