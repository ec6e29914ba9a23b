/** @jsxImportSource #web/player */
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import type { LinkProps } from '#web/player/ending/end-props.ts'

/** Returns the props of a link that calls a function, because visitors have a link there too. */
const linkThat = (act: (() => void) | undefined): LinkProps => ({
  href: '#recommencer',
  onClick: (event) => {
    event.preventDefault()
    act?.()
  },
})

const NOTE_ID = 'preview-note'

/** Renders the links that visitors see below the end, in the player. */
export const PreviewEnd = ({
  quiz,
  has_result,
  onRestart,
}: {
  quiz: WordingSettings & { allows_restart?: boolean | undefined }
  has_result: boolean
  onRestart: (() => void) | undefined
}) => (
  <div className="q-steps">
    {has_result && <DisabledShareButton quiz={quiz} />}
    {quiz.allows_restart && (
      <a className="q-link" {...linkThat(onRestart)}>
        {wordingOf(quiz, 'Recommencer')}
      </a>
    )}
  </div>
)

/** Shows the disabled share button, because a preview has no address to share. */
const DisabledShareButton = ({ quiz }: { quiz: WordingSettings }) => (
  <span>
    <button
      type="button"
      className="q-link cursor-default underline"
      aria-disabled="true"
      aria-describedby={NOTE_ID}
    >
      {wordingOf(quiz, 'Partager mon résultat')}
    </button>
    <span id={NOTE_ID} className="q-note">
      Sans effet dans l’aperçu : vos participants partageront l’adresse du questionnaire, avec une
      carte qui nomme leur résultat.
    </span>
  </span>
)
