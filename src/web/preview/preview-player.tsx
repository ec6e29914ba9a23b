import { useCallback, useEffect, useRef, useState } from 'react'
import { isSondage } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { useReadSnapshot } from '#web/ui/use-read-text.ts'
import { WELCOME } from './places.ts'
import { PreviewedRun } from './previewed-run.tsx'
import { runAt } from './run-at.ts'
import { useFont } from './use-font.ts'

/** Spec §8 « No results in preview ». */
const NO_RESULTS = "Aucun résultat n'est défini pour ce quiz. Veuillez créer au moins un résultat."

/** A run of the draft; it can be restarted, where visitors begin. */
export const PreviewPlayer = ({
  snapshot,
  place,
}: {
  snapshot: Snapshot
  /** Where it opens (places.ts). */
  place: number
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
  return (
    <div ref={frame} className="grid">
      <PreviewedRun
        key={taking}
        snapshot={useReadSnapshot(snapshot)}
        initial={runAt(snapshot, taking === 0 ? place : WELCOME)}
        mayEnd={mayEnd}
        onRestart={() => setTaking(taking + 1)}
      />
    </div>
  )
}

const FIRST_FIELD = ':is(.q-page :is(input:not([type=hidden]), textarea), h1)'
