import { useEffect, useRef } from 'react'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { SAVING } from '#web/editor/draft/use-draft.ts'
import { newId } from '#web/editor/new-id.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { createResult, type ResultsAction, resultsBurst, withResults } from './results-reducer.ts'

type Results = {
  change: (action: ResultsAction) => void
  /** Adds a result of this name at the end; false when the name is blank. */
  add: (name: string) => boolean
}

/** Performs the gestures of the results screen on the draft, and says when a new result was not stored (spec §8). */
export const useResults = (session: DraftSession): Results => {
  const { alert } = useDialogs()
  // Ids added here that no save has tried yet: only those have a failure to tell.
  const untried = useRef(new Set<string>())

  useEffect(
    () =>
      session.onFailure(({ results }) => {
        const added = results.filter(({ id }) => untried.current.delete(id))
        if (added.length > 0) void alert('Erreur lors de la création du résultat')
      }),
    [session, alert],
  )

  const change = (action: ResultsAction): void =>
    session.change((draft) => withResults(draft, action), {
      burst: resultsBurst(action),
      ...SAVING.results,
    })

  const add = (name: string): boolean => {
    const quiz_id = session.view().draft.quiz.id
    const result = createResult({ id: newId(), quiz_id, name, now: new Date().toISOString() })
    if (!result) return false
    untried.current.add(result.id)
    change({ type: 'added', result })
    return true
  }

  return { change, add }
}
