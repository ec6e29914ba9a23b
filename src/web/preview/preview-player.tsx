import { useCallback, useEffect, useRef, useState } from 'react'
import { PLAYER_PALETTE, resolveColors } from '#domain/colors.ts'
import { groupIntoPages, indexOfPage } from '#domain/pages.ts'
import { isSondage } from '#domain/quiz.ts'
import { PREVIEW_RULES } from '#domain/scoring.ts'
import { shuffled } from '#domain/shuffle.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { paletteProperties } from '#web/player/palette.ts'
import { createParticipantUuid } from '#web/player/participant.ts'
import { QuizPlayer } from '#web/player/quiz-player.tsx'
import { firstIndex, NEW_RUN } from '#web/player/run.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { useReadSnapshot } from '#web/ui/use-read-text.ts'
import { useFont } from './use-font.ts'

/** Spec §8 « No results in preview ». */
const NO_RESULTS = "Aucun résultat n'est défini pour ce quiz. Veuillez créer au moins un résultat."

/** The player with the preview's rules and the quiz's colours; it can be restarted, at the first page. */
export const PreviewPlayer = ({
  snapshot,
  page_number,
}: {
  snapshot: Snapshot
  /** The page that it opens at. */
  page_number: number
}) => {
  const { alert } = useDialogs()
  useFont(snapshot.quiz.font)
  const [taking, setTaking] = useState(0)
  const first_index =
    page_number < 1 ? firstIndex(snapshot) : indexOfPage(groupIntoPages(snapshot), page_number)
  /** As a visitor has one, so that their order of answers is shown. */
  const [participant_uuid] = useState(() => createParticipantUuid())
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (taking > 0) frame.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
  }, [taking])
  // The same function as long as nothing changes: another one makes the player's form read itself anew.
  const mayEnd = useCallback((): boolean => {
    const may = isSondage(snapshot.quiz) || snapshot.results.length > 0
    if (!may) void alert(NO_RESULTS)
    return may
  }, [snapshot, alert])
  return (
    <div ref={frame} className="grid">
      <QuizPlayer
        key={taking}
        snapshot={useReadSnapshot(snapshot)}
        rules={PREVIEW_RULES}
        initial={{ ...NEW_RUN, page_index: taking === 0 ? first_index : firstIndex(snapshot) }}
        palette={paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE), snapshot.quiz)}
        drawAnswers={(question) => shuffled(question.answers, participant_uuid, question.id)}
        mayEnd={mayEnd}
        after_end={
          <button type="button" className="q-next" onClick={() => setTaking(taking + 1)}>
            Recommencer
          </button>
        }
      />
    </div>
  )
}

const FIRST_FIELD = ':is(.q-page :is(input:not([type=hidden]), textarea), h1)'
