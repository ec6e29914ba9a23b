import { useMemo, useRef, useState } from 'react'
import { groupIntoPages } from '#domain/pages.ts'
import type { PlayerRules } from '#domain/scoring.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import type { SnapshotPage } from '#domain/taking.ts'
import { NEW_RUN, nextRun, type Run, type RunEvent } from './run.ts'

type Options = {
  snapshot: Snapshot
  rules: PlayerRules
  initial?: Run
  /** Told of every run that differs from the one before. */
  onChange?: (run: Run) => void
}

/** The run of one mounted player. Another quiz needs another player: give it a `key`. */
export const useRun = ({ snapshot, rules, initial = NEW_RUN, onChange }: Options) => {
  const pages: SnapshotPage[] = useMemo(() => groupIntoPages(snapshot), [snapshot])
  const [run, setRun] = useState(initial)
  // Events may come faster than renders: each starts from the run that the last one left.
  const latest = useRef(initial)
  /** True when the event changed the run. */
  const send = (event: RunEvent): boolean => {
    const next = nextRun({ snapshot, pages, rules }, latest.current, event)
    if (next === latest.current) return false
    latest.current = next
    setRun(next)
    onChange?.(next)
    return true
  }
  return { run, pages, send }
}
