import { useCallback, useEffect, useRef, useState } from 'react'
import { isSondage, type Replies } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { useReadSnapshot } from '#web/ui/use-read-text.ts'
import { ExampleReasons } from './example-reasons.tsx'
import { WELCOME } from './places.ts'
import { PreviewedRun } from './previewed-run.tsx'
import { runAt, runThrough } from './run-at.ts'
import { useFont } from './use-font.ts'

/** Spec §8 « No results in preview ». */
const NO_RESULTS = "Aucun résultat n'est défini pour ce quiz. Veuillez créer au moins un résultat."

/** A run of the draft; it can be restarted, where visitors begin. */
export const PreviewPlayer = ({
  snapshot,
  place,
  example,
}: {
  snapshot: Snapshot
  /** Where it opens (places.ts). */
  place: number
  /** Replies at whose end it opens instead. */
  example: Replies | undefined
}) => {
  const { alert } = useDialogs()
  useFont(snapshot.quiz.font)
  const [taking, setTaking] = useState(0)
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
  const read = useReadSnapshot(snapshot)
  const replies = taking === 0 ? example : undefined
  return (
    <div ref={frame} className={`grid ${replies ? 'grid-rows-[auto_1fr]' : ''}`}>
      {replies && <ExampleReasons snapshot={snapshot} replies={replies} />}
      <PreviewedRun
        // An end shows its texts as they were read when it was reached.
        key={replies ? `${taking} ${read === snapshot}` : taking}
        snapshot={read}
        initial={
          replies ? runThrough(read, replies) : runAt(snapshot, taking === 0 ? place : WELCOME)
        }
        mayEnd={mayEnd}
        onRestart={() => setTaking(taking + 1)}
      />
    </div>
  )
}

const FIRST_FIELD = ':is(.q-page :is(input:not([type=hidden]), textarea), h1)'
