/** @jsxImportSource #web/player */

const NOTE_ID = 'preview-note'

/** Renders what a preview shows below its end, in the player. */
export const PreviewEnd = ({
  has_result,
  onRestart,
}: {
  has_result: boolean
  onRestart: (() => void) | undefined
}) => (
  <>
    {has_result && <DisabledShareButton />}
    <button type="button" className="q-next" onClick={onRestart}>
      Recommencer
    </button>
  </>
)

/** Shows the disabled share button, because a preview has no address to share. */
const DisabledShareButton = () => (
  <div className="q-steps">
    <span>
      <button
        type="button"
        className="q-link cursor-default underline"
        aria-disabled="true"
        aria-describedby={NOTE_ID}
      >
        Partager mon résultat
      </button>
      <span id={NOTE_ID} className="q-note">
        Sans effet dans l’aperçu : vos participants partageront l’adresse du questionnaire, avec une
        carte qui nomme leur résultat.
      </span>
    </span>
  </div>
)
