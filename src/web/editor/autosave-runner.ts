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
  /** What the editor shows from now on. */
  edit: (value: T, edit: { kind: string; delay_ms: number }) => void
  /** What the server holds has changed by others, and what is shown by that; ends the save under way. */
  rebase: (saved: { stored: T; shown: T }) => void
  pause: (is_paused: boolean) => void
  /** Saves now; fulfilled once all that was edited is stored, rejected with what prevented it. */
  flush: () => Promise<void>
  /** Saves now if something waits, and leaves failures to the later tries. */
  hurry: () => void
  /** The same when the page goes away and nothing can wait for the save under way. */
  leave: () => void
  stored: () => T
  state: () => SaveState
  isSaving: () => boolean
}

const now = (): number => Date.now()

/**
 * Performs what the autosave decides: one timer, one save at a time. `stored` is what the server
 * holds at first; `isFinal` tells a refusal, which no other try can change, from a failure.
 */
export const runAutosave = <T>(
  stored: T,
  {
    hold_ms,
    isSame,
    save,
    isFinal,
    onChange,
  }: {
    hold_ms: number
    isSame: (shown: T, stored: T) => boolean
    /** Stores that value, whole, and says what the server holds by that; doing it twice is harmless. */
    save: (value: T) => Promise<T>
    isFinal: (error: unknown) => boolean
    /** Called when the state is another. */
    onChange: () => void
  },
): AutosaveRunner<T> => {
  let autosave: Autosave<T> = openAutosave(stored, { now: now(), hold_ms, isSame })
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
    // Most often nobody waits for it; the state already says that it failed.
    outcome.catch(() => undefined)
  }

  return {
    edit: (value, { kind, delay_ms }) =>
      dispatch({ type: 'edited', value, kind, delay_ms, now: now() }),
    rebase: (saved) => dispatch({ type: 'rebased', ...saved, now: now() }),
    pause: (is_paused) => dispatch({ type: 'paused', is_paused }),
    flush: async () => {
      dispatch({ type: 'hurried', now: now() })
      while (autosave.attempt) await running
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
