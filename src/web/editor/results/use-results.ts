import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Changes } from '#domain/editing/changes.ts'
import { rowsUndoGroupKey } from '#domain/questionnaire/ordered-rows.ts'
import type { Result } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { type EditorDraft, newId } from '#web/editor/draft/editor-draft.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import {
  createResult,
  type ResultsAction,
  resultsAnnouncement,
  withResults,
} from './results-reducer.ts'

/** State of the field that adds results. */
export type ResultCreation = {
  name: string
  setName: (name: string) => void
  /** Adds a result with the typed name at the end, unless the name is blank. */
  submit: () => void
  /** Adds a result for each of these names, without changing the field. */
  addAll: (names: readonly string[]) => void
}

/**
 * Returns functions that apply actions of the results screen to the draft. An alert reports once that a new result
 * could not be stored (product 14.5). The result stays in the list and is saved with the next attempt.
 */
export const useResults = (
  session: DraftSession,
): { change: (action: ResultsAction) => void; adding: ResultCreation } => {
  const { alert } = useDialogs()
  const [name, setName] = useState('')
  // Ids of added results whose save has not failed yet, so that only the first failure is reported.
  const added = useRef(new Set<string>())

  const alertFailedCreation = useEffectEvent(({ results }: Changes, stored: EditorDraft): void => {
    const known = new Set(stored.results.map(({ id }) => id))
    const failed = results.filter(({ id }) => added.current.delete(id) && !known.has(id))
    if (failed.length > 0) void alert('Erreur lors de la création du résultat')
  })
  useEffect(
    () => session.onFailure((changes, stored) => alertFailedCreation(changes, stored)),
    [session],
  )

  const change = (action: ResultsAction): void => {
    session.change((draft) => withResults(draft, action), {
      undoGroupKey: rowsUndoGroupKey(action),
      ...AUTOSAVE_KINDS.results,
    })
    const announcement = resultsAnnouncement(session.view().draft.results, action)
    if (announcement) announceToScreenReader(announcement)
  }

  const add = (result: Result): void => {
    added.current.add(result.id)
    change({ type: 'added', row: result })
  }

  const created = (typed: string): Result | undefined =>
    createResult({
      id: newId(),
      quiz_id: session.view().draft.quiz.id,
      name: typed,
      now: new Date().toISOString(),
    })

  const submit = (): void => {
    const result = created(name)
    if (!result) return
    add(result)
    setName('')
  }

  const addAll = (names: readonly string[]): void => {
    const results = names.flatMap((typed) => created(typed) ?? [])
    for (const result of results) add(result)
    announceToScreenReader(
      results.length > 1 ? `${results.length} résultats collés` : '1 résultat collé',
    )
  }

  return { change, adding: { name, setName, submit, addAll } }
}

/** Returns the id of the result that had the focus last or was added last; the first result before that. */
export const useEditedResult = (results: readonly Result[]): string | undefined => {
  const [edited, setEdited] = useState<string>()
  const [known, setKnown] = useState(results)
  if (results !== known) {
    setKnown(results)
    const before = new Set(known.map(({ id }) => id))
    const added = results.findLast(({ id }) => !before.has(id))
    if (added) setEdited(added.id)
  }
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null
      if (row) setEdited(row.dataset.item)
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return results.some(({ id }) => id === edited) ? edited : results[0]?.id
}
