import { useId, useState } from 'react'
import { PLAYER_PALETTE, resolveColors } from '#domain/questionnaire/colors.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { PREVIEW_RULES } from '#domain/run/scoring.ts'
import { shuffled } from '#domain/run/shuffle.ts'
import { paletteProperties } from '#web/player/page/palette.ts'
import { QuizPlayer } from '#web/player/page/quiz-player.tsx'
import { createParticipantUuid } from '#web/player/run/participant-uuid.ts'
import type { Run } from '#web/player/run/run.ts'

/** Shows the player with the preview's rules and the quiz's colours. Another `key` starts another run. */
export const PreviewRun = ({
  snapshot,
  initial,
  mayEnd,
  onRestart,
}: {
  snapshot: RichSnapshot
  /** State in which the run begins. */
  initial: Run
  mayEnd?: () => boolean
  onRestart: () => void
}) => {
  const [{ result }, setRun] = useState(initial)
  /** Random visitor id, which decides the order of shuffled answers. */
  const [participant_uuid] = useState(createParticipantUuid)
  return (
    <QuizPlayer
      snapshot={snapshot}
      rules={PREVIEW_RULES}
      initial={initial}
      palette={paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE), snapshot.quiz)}
      orderAnswers={(question) => shuffled(question.answers, participant_uuid, question.id)}
      onChange={setRun}
      {...(mayEnd && { mayEnd })}
      after_end={
        <>
          {result && <DisabledShareButton />}
          <button type="button" className="q-next" onClick={onRestart}>
            Recommencer
          </button>
        </>
      }
    />
  )
}

/** Shows the disabled share button, because a preview has no address to share. */
const DisabledShareButton = () => {
  const note_id = useId()
  return (
    <div className="q-steps">
      <span>
        <button
          type="button"
          className="q-link cursor-default underline"
          aria-disabled="true"
          aria-describedby={note_id}
        >
          Partager mon résultat
        </button>
        <span id={note_id} className="q-note">
          Sans effet dans l’aperçu : vos participants partageront l’adresse du questionnaire, avec
          une carte qui nomme leur résultat.
        </span>
      </span>
    </div>
  )
}
