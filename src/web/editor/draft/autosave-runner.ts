import {
  type Autosave,
  type AutosaveEvent,
  autosaveReducer,
  createAutosave,
  dueAt,
  isPending,
  type SaveState,
  saveStateOf,
} from './autosave.ts'

/** Autosave of one value with its timer and its calls to the server. */
export type AutosaveRunner<T> = {
  /** Sets the value that the editor shows. */
  edit: (value: T, edit: { kind: string; delay_ms: number }) => void
  /**
   * Replaces the stored and the shown value after a merge with another author's edits, and abandons the save
   * in progress.
   */
  rebase: (saved: { stored: T; shown: T }) => void
  pause: (is_paused: boolean) => void
  /**
   * Saves now. The promise resolves when all edits are stored, and rejects with the error of a failed save.
   */
  flush: () => Promise<void>
  /** Saves pending edits now without waiting for the result. Failed saves are retried as usual. */
  saveSoon: () => void
  /** Saves pending edits at once, even during another save, because the page is being closed. */
  saveOnPageClose: () => void
  stored: () => T
  state: () => SaveState
  isSaving: () => boolean
}

const now = (): number => Date.now()

/**
 * Starts the autosave of a value, with one save at a time. `stored` is the value that the server holds at the
 * start. `isFinal` returns true for errors that a retry cannot fix.
 */
export const runAutosave = <T>(
  stored: T,
  {
    hold_ms,
    isSame,
    hasUnconfirmedSaves,
    save,
    isFinal,
    onChange,
  }: {
    hold_ms: number
    isSame: (shown: T, stored: T) => boolean
    hasUnconfirmedSaves: (stored: T) => boolean
    /**
     * Stores a value and returns the value that the server holds afterwards. Must be idempotent, because
     * failed saves are retried.
     */
    save: (value: T) => Promise<T>
    isFinal: (error: unknown) => boolean
    /** Called when the state has changed. */
    onChange: () => void
  },
): AutosaveRunner<T> => {
  let autosave: Autosave<T> = createAutosave(stored, {
    now: now(),
    hold_ms,
    isSame,
    hasUnconfirmedSaves,
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
    // Ignores the rejection here, because the state reports the failure and only `flush` awaits the promise.
    outcome.catch(() => undefined)
  }

  return {
    edit: (value, { kind, delay_ms }) =>
      dispatch({ type: 'edited', value, kind, delay_ms, now: now() }),
    rebase: (saved) => dispatch({ type: 'rebased', ...saved, now: now() }),
    pause: (is_paused) => dispatch({ type: 'paused', is_paused }),
    flush: async () => {
      dispatch({ type: 'hurried', now: now() })
      // A save that met a newer revision schedules another save. The event 'hurried' starts the second save even while
      // autosaves are paused.
      while (isPending(autosave))
        if (autosave.attempt) await running
        else dispatch({ type: 'hurried', now: now() })
    },
    saveSoon: () => {
      if (isPending(autosave)) dispatch({ type: 'hurried', now: now() })
    },
    saveOnPageClose: () => dispatch({ type: 'left' }),
    stored: () => autosave.stored,
    state: () => saveStateOf(autosave),
    isSaving: () => autosave.attempt !== null,
  }
}
