import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Result } from '#domain/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { SAVING } from '#web/editor/draft/use-draft.ts'
import { newId } from '#web/editor/new-id.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { createResult, type ResultsAction, resultsBurst, withResults } from './results-reducer.ts'

/** The field that adds results. */
export type Adding = {
  name: string
  setName: (name: string) => void
  /** Adds a result of the name in the field at the end, unless it is blank. */
  submit: () => void
  /** Adds a result of another name; the field is unchanged. */
  addOther: (name: string) => void
}

/**
 * Performs the gestures of the results screen on the draft. A new result that could not be stored is removed
 * from the list, and its name is put back into the field (spec §8 « Result creation failure »).
 */
export const useResults = (
  session: DraftSession,
): { change: (action: ResultsAction) => void; adding: Adding } => {
  const { alert } = useDialogs()
  const [name, setName] = useState('')
  // Ids added here that no save has tried yet: only their first failure is shown.
  const untried = useRef(new Set<string>())
  // Results that could not be stored; `shown` is the one whose name is in the field.
  const returned = useRef<{ shown: Result | undefined; waiting: Result[] }>({
    shown: undefined,
    waiting: [],
  })

  const showNext = (): void => {
    const { waiting } = returned.current
    const shown = waiting.shift()
    returned.current = { shown, waiting }
    setName(shown?.name ?? '')
  }

  const takeBack = useEffectEvent((tried: readonly { id: string }[]): void => {
    const ids = new Set(tried.map(({ id }) => id).filter((id) => untried.current.delete(id)))
    if (ids.size === 0) return
    returned.current.waiting.push(
      ...session.view().draft.results.filter((result) => ids.has(result.id)),
    )
    session.discard([...ids])
    if (name.trim() === '') showNext()
    void alert('Erreur lors de la création du résultat')
  })
  useEffect(() => session.onFailure(({ results }) => takeBack(results)), [session])

  const change = (action: ResultsAction): void =>
    session.change((draft) => withResults(draft, action), {
      burst: resultsBurst(action),
      ...SAVING.results,
    })

  const add = (result: Result): void => {
    untried.current.add(result.id)
    change({ type: 'added', result })
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
    const { shown: again } = returned.current
    const isThere = session.view().draft.results.some(({ id }) => id === again?.id)
    // The same id again: if the first save was stored and its answer lost, this one adds no second result.
    if (!again) add(result)
    else if (isThere) change({ type: 'renamed', id: again.id, name: result.name })
    else add({ ...again, name: result.name })
    showNext()
  }

  const addOther = (typed: string): void => {
    const result = created(typed)
    if (result) add(result)
  }

  return { change, adding: { name, setName, submit, addOther } }
}
