import { useEffect, useRef } from 'react'
import type { Result } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { useEditorCache } from '#web/editor/editor-cache.ts'
import { newId } from '#web/editor/new-id.ts'
import { type Autosaving, useAutosave } from '#web/editor/use-autosave.ts'
import { type Undoing, useHistory } from '#web/editor/use-history.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import {
  createResult,
  type ResultsAction,
  resultsBurst,
  resultsReducer,
  savedResults,
} from './results-reducer.ts'

/** Spec §9 « Autosave delay: results, name, colours ». */
const RESULTS_DELAY_MS = 500

type Results = Autosaving & {
  results: Result[]
  change: (action: ResultsAction) => void
  /** Adds a result of this name at the end; false when the name is blank. */
  add: (name: string) => boolean
  undoing: Undoing
}

/** The results while they are edited: this list is the state of record, stored whole as it changes. */
export const useResults = (
  quiz_id: string,
  loaded: Result[],
  { is_paused }: { is_paused: boolean },
): Results => {
  const cache = useEditorCache(quiz_id)
  const { alert } = useDialogs()
  const { state: results, change, undoing } = useHistory(resultsReducer, () => loaded, resultsBurst)
  // Ids added here that no save has tried yet: only those have a failure to tell (spec §8).
  const untried = useRef(new Set<string>())

  const store = async (list: Result[]): Promise<void> => {
    const added = list.filter(({ id }) => untried.current.delete(id))
    try {
      await client.results.saveAll({ id: quiz_id, body: { results: savedResults(list) } })
    } catch (error) {
      if (added.length > 0) void alert('Erreur lors de la création du résultat')
      throw error
    }
    cache.resultsChanged(list)
    cache.draftStored()
  }

  const autosaving = useAutosave({
    key: `${quiz_id}/results`,
    value: results,
    save: store,
    delay_ms: RESULTS_DELAY_MS,
    is_paused,
  })

  useEffect(() => cache.resultsChanged(results), [cache, results])

  const add = (name: string): boolean => {
    const result = createResult({ id: newId(), quiz_id, name, now: new Date().toISOString() })
    if (!result) return false
    untried.current.add(result.id)
    change({ type: 'added', result })
    return true
  }

  return { ...autosaving, results, change, add, undoing }
}
