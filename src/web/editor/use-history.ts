import { useCallback, useEffect, useMemo, useReducer } from 'react'
import { addStep, type History, openHistory, redo, undo } from './history.ts'

export type Undoing = {
  canUndo: boolean
  canRedo: boolean
  undo: () => void
  redo: () => void
}

type HistoryEvent<A> =
  | { type: 'changed'; action: A; now: number }
  | { type: 'undone' }
  | { type: 'redone' }

/**
 * A reducer whose changes can be undone and redone, by its functions and by the keyboard. `burstOf`
 * names the field that an action types in; null: a step of its own.
 */
export const useHistory = <S, A>(
  reducer: (state: S, action: A) => S,
  open: () => S,
  burstOf: (action: A) => string | null,
): { state: S; change: (action: A) => void; undoing: Undoing } => {
  const [history, dispatch] = useReducer(
    (before: History<S>, event: HistoryEvent<A>): History<S> => {
      switch (event.type) {
        case 'undone':
          return undo(before)
        case 'redone':
          return redo(before)
        case 'changed': {
          const present = reducer(before.present, event.action)
          return addStep(before, present, { burst: burstOf(event.action), now: event.now })
        }
      }
    },
    undefined,
    () => openHistory(open()),
  )
  const change = useCallback(
    (action: A) => dispatch({ type: 'changed', action, now: Date.now() }),
    [],
  )
  const canUndo = history.past.length > 0
  const canRedo = history.future.length > 0
  const undoing = useMemo<Undoing>(
    () => ({
      canUndo,
      canRedo,
      undo: () => dispatch({ type: 'undone' }),
      redo: () => dispatch({ type: 'redone' }),
    }),
    [canUndo, canRedo],
  )
  useUndoKeys(undoing)
  return { state: history.present, change, undoing }
}

/** Ctrl or ⌘ with Z undoes, with Shift or with Y redoes; a field in which something was just typed undoes its own. */
const useUndoKeys = ({ undo, redo }: Pick<Undoing, 'undo' | 'redo'>): void => {
  useEffect(() => {
    let typedIn: EventTarget | null = null
    const onInput = ({ target }: Event): void => {
      typedIn = target
    }
    const onFocus = (): void => {
      typedIn = null
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase()
      const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && ['z', 'y'].includes(key)
      if (!isOurs || event.target === typedIn || document.querySelector('dialog[open]')) return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) redo()
      else undo()
    }
    document.addEventListener('input', onInput)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('input', onInput)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [undo, redo])
}
