/** @jsxImportSource #web/player */
import { WELCOME_BUTTON } from '#domain/questionnaire/pages.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { PictureSlot } from '#web/player/content/picture-slot.tsx'
import { CreatorText } from '#web/player/content/texts.tsx'
import type { NoscriptProps } from './page-props.ts'
import './welcome.css'

/** Renders the screen before the first page. */
export const Welcome = ({
  quiz,
  noscript,
}: {
  quiz: RichSnapshot['quiz']
  noscript: NoscriptProps | undefined
}) => {
  const { name, welcome_title, welcome_text, welcome_button } = quiz
  return (
    <form className="q-welcome" {...noscript?.form}>
      {noscript?.hidden_fields}
      <PictureSlot image_id={quiz.welcome_image_id} image_alt={quiz.welcome_image_alt} />
      <h1 className="q-title" dir="auto" tabIndex={-1}>
        {welcome_title ?? name}
      </h1>
      {welcome_text && <CreatorText text={welcome_text} />}
      <button type="submit" className="q-next">
        {welcome_button ?? WELCOME_BUTTON}
      </button>
    </form>
  )
}
