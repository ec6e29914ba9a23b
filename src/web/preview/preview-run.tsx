import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { PLAYER_PALETTE, resolveColors } from '#domain/questionnaire/look/colors.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { type PlayerRules, PREVIEW_RULES } from '#domain/run/scoring.ts'
import { shuffled } from '#domain/run/shuffle.ts'
import '#web/player/all-parts.ts'
import { advanceOnTap } from '#web/player/page/auto-advance.ts'
import { paletteProperties } from '#web/player/page/palette.ts'
import { createPlayer, type Player } from '#web/player/page/player.ts'
import { type FileLoaders, parts } from '#web/player/parts.ts'
import { createParticipantUuid } from '#web/player/run/participant-uuid.ts'
import type { Run } from '#web/player/run/run.ts'
import { PreviewEnd } from './preview-end.tsx'

const LOADERS: FileLoaders = {
  // Without the files, the preview shows no readings of phone numbers and no suggestions for addresses.
  loadPhoneReading: () => import('#web/player/bundles/phone-reading.ts').catch(() => null),
  loadEmailSlips: () => import('#web/player/bundles/email-slips.ts').catch(() => null),
}
Object.assign(parts, LOADERS)

/** Shows the player of the public page in the quiz's colours. Another `key` starts another run. */
export const PreviewRun = ({
  snapshot,
  initial,
  rules = PREVIEW_RULES,
  onBeforeEnd,
  onRestart,
}: {
  snapshot: RichSnapshot
  /** State in which the run begins. */
  initial: Run
  rules?: PlayerRules
  onBeforeEnd?: () => boolean
  onRestart?: () => void
}) => {
  const element = useRef<HTMLDivElement>(null)
  const player = useRef<Player>(undefined)
  /** Random visitor id, which decides the order of shuffled answers. */
  const [participant_uuid] = useState(createParticipantUuid)
  const options = {
    snapshot,
    rules,
    onBeforeEnd,
    orderAnswers: (question: RichSnapshot['questions'][number]) =>
      shuffled(question.answers, participant_uuid, question.id),
    renderAfterEnd: ({ result }: Run) =>
      PreviewEnd({ quiz: snapshot.quiz, has_result: result !== null, onRestart }),
  }
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
    if (player.current) player.current.show()
    else if (element.current)
      player.current = createPlayer(element.current, () => latest.current, initial)
  })
  const { auto_advance } = snapshot.quiz
  useEffect(
    () => (auto_advance && element.current ? advanceOnTap(element.current) : undefined),
    [auto_advance],
  )
  const palette = paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE), snapshot.quiz)
  return <div ref={element} className="grid" style={palette} />
}
