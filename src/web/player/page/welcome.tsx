import { WELCOME_BUTTON } from '#domain/questionnaire/pages.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { RichTextElement } from '#web/player/content/rich-text.tsx'
import type { RunEvent } from '#web/player/run/run.ts'
import type { NoscriptProps } from './page-form.tsx'
import './welcome.css'

/** Renders the screen before the first page. */
export const Welcome = ({
  quiz,
  noscript,
  send,
}: {
  quiz: RichSnapshot['quiz']
  noscript: NoscriptProps | undefined
  send: (event: RunEvent) => void
}) => {
  const { name, welcome_title, welcome_text, welcome_button } = quiz
  return (
    <form
      className="q-welcome"
      onSubmit={(event) => {
        event.preventDefault()
        send({ kind: 'next' })
      }}
      {...noscript?.form}
    >
      {noscript?.hidden_fields}
      <Picture image_id={quiz.welcome_image_id} image_alt={quiz.welcome_image_alt} />
      <h1 className="q-title" dir="auto" tabIndex={-1}>
        {welcome_title ?? name}
      </h1>
      {welcome_text && <RichTextElement text={welcome_text} />}
      <button type="submit" className="q-next">
        {welcome_button ?? WELCOME_BUTTON}
      </button>
    </form>
  )
}
