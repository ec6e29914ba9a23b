/** @jsxImportSource #web/player */
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'

const NOTE_ID = 'preview-note'

/** Renders what a preview shows below its end, in the player. */
export const PreviewEnd = ({
  quiz,
  has_result,
  onRestart,
}: {
  quiz: WordingSettings
  has_result: boolean
  onRestart: (() => void) | undefined
}) => (
  <>
    {has_result && <DisabledShareButton quiz={quiz} />}
    <button type="button" className="q-next" onClick={onRestart}>
      {wordingOf(quiz, 'Recommencer')}
    </button>
  </>
)

/** Shows the disabled share button, because a preview has no address to share. */
const DisabledShareButton = ({ quiz }: { quiz: WordingSettings }) => (
  <div className="q-steps">
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
  </div>
)
