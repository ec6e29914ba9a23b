import {
  type Autosave,
  type AutosaveEvent,
  autosaveReducer,
  dueAt,
  isPending,
  openAutosave,
  type SaveState,
  saveStateOf,
} from './autosave.ts'

export type AutosaveRunner<T> = {
  /** Sets the value that the editor shows. */
  edit: (value: T, edit: { kind: string; delay_ms: number }) => void
  /** Sets the stored value, which others have changed, and the shown one; ends the save in progress. */
  rebase: (saved: { stored: T; shown: T }) => void
  pause: (is_paused: boolean) => void
  /** Saves now; fulfilled once all edits are stored, rejected with the error of the save. */
  flush: () => Promise<void>
  /** Saves pending edits now; failures are left to the retries. */
  hurry: () => void
  /** Saves pending edits although a save is in progress, since the page is being closed. */
  leave: () => void
  stored: () => T
  state: () => SaveState
  isSaving: () => boolean
}

const now = (): number => Date.now()

/**
 * Runs the timer and the saves that the autosave decides on, one save at a time. `stored` is the value on the
 * server at first; `isFinal` is true of a refusal, which trying again cannot change.
 */
export const runAutosave = <T>(
  stored: T,
  {
    hold_ms,
    isSame,
    isInDoubt,
    save,
    isFinal,
    onChange,
  }: {
    hold_ms: number
    isSame: (shown: T, stored: T) => boolean
    isInDoubt: (stored: T) => boolean
    /** Stores that value and returns the one that the server has then; it is idempotent. */
    save: (value: T) => Promise<T>
    isFinal: (error: unknown) => boolean
    /** Called when the state has changed. */
    onChange: () => void
  },
): AutosaveRunner<T> => {
  let autosave: Autosave<T> = openAutosave(stored, {
    now: now(),
    hold_ms,
    isSame,
    isInDoubt,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined

  const dispatch = (event: AutosaveEvent<T>): void => {
    const before = autosave
    autosave = autosaveReducer(before, event)
    if (autosave.attempt && autosave.attempt !== before.attempt) perform(autosave.attempt)
    schedule()
    if (saveStateOf(autosave) !== saveStateOf(before)) onChange()
  }

  const schedule = (): void => {
    clearTimeout(timer)
    const due_at = dueAt(autosave)
    if (autosave.attempt || due_at === null) return
    if (autosave.is_paused && !autosave.is_hurried) return
    const wait = due_at - now()
    if (wait <= 0) dispatch({ type: 'due', now: now() })
    else timer = setTimeout(() => dispatch({ type: 'due', now: now() }), wait)
  }

  const perform = ({ id, value }: { id: number; value: T }): void => {
    const outcome = save(value).then(
      (stored) => dispatch({ type: 'stored', id, value: stored }),
      (error: unknown) => {
        console.warn('Autosave failed', error)
        dispatch(isFinal(error) ? { type: 'refused', id } : { type: 'failed', id, now: now() })
        throw error
      },
    )
    running = outcome
    // The state reports the failure; only `flush` awaits the promise.
    outcome.catch(() => undefined)
  }

  return {
    edit: (value, { kind, delay_ms }) =>
      dispatch({ type: 'edited', value, kind, delay_ms, now: now() }),
    rebase: (saved) => dispatch({ type: 'rebased', ...saved, now: now() }),
    pause: (is_paused) => dispatch({ type: 'paused', is_paused }),
    flush: async () => {
      dispatch({ type: 'hurried', now: now() })
      // A save that met a newer revision leaves another one to do, which a pause would keep waiting.
      while (isPending(autosave))
        if (autosave.attempt) await running
        else dispatch({ type: 'hurried', now: now() })
    },
    hurry: () => {
      if (isPending(autosave)) dispatch({ type: 'hurried', now: now() })
    },
    leave: () => dispatch({ type: 'left' }),
    stored: () => autosave.stored,
    state: () => saveStateOf(autosave),
    isSaving: () => autosave.attempt !== null,
  }
}
