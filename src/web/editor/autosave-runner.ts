import {
  type Autosave,
  type AutosaveEvent,
  autosaveReducer,
  isPending,
  openAutosave,
  type SaveState,
  saveStateOf,
} from './autosave.ts'

export type AutosaveTimes = { delay_ms: number; hold_ms: number }
type AutosaveInput = {
  value: unknown
  /** Stores that value, whole; doing it twice is harmless. */
  save: () => Promise<unknown>
  is_paused: boolean
}

export type AutosaveRunner = {
  /** What the editor shows from now on, and how to save it. */
  update: (input: AutosaveInput) => void
  /** Saves now; fulfilled once all that was edited is stored, rejected with what prevented it. */
  flush: () => Promise<void>
  /** Saves now if something waits, and leaves failures to the later tries. */
  hurry: () => void
  /** The same when the page goes away and nothing can wait for the save under way. */
  leave: () => void
  state: () => SaveState
  subscribe: (listener: () => void) => () => void
}

const now = (): number => Date.now()

/**
 * Performs what the autosave decides: one timer, one save at a time. `stored` is what the server
 * holds at first; `isFinal` tells a refusal, which no other try can change, from a failure.
 */
export const runAutosave = (
  stored: unknown,
  times: AutosaveTimes,
  isFinal: (error: unknown) => boolean,
): AutosaveRunner => {
  let autosave: Autosave<unknown> = openAutosave(stored, { now: now(), ...times })
  let save = async (): Promise<unknown> => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  const listeners = new Set<() => void>()

  const dispatch = (event: AutosaveEvent<unknown>): void => {
    const before = autosave
    autosave = autosaveReducer(before, event)
    if (autosave.attempt && autosave.attempt !== before.attempt) perform(autosave.attempt.id)
    schedule()
    if (saveStateOf(autosave) !== saveStateOf(before)) for (const listener of listeners) listener()
  }

  const schedule = (): void => {
    clearTimeout(timer)
    if (autosave.attempt || autosave.due_at === null) return
    if (autosave.is_paused && !autosave.is_hurried) return
    const wait = autosave.due_at - now()
    if (wait <= 0) dispatch({ type: 'due', now: now() })
    else timer = setTimeout(() => dispatch({ type: 'due', now: now() }), wait)
  }

  // An attempt always saves what is shown, so the newest `save` is the one that goes with it.
  const perform = (id: number): void => {
    const outcome = save().then(
      () => dispatch({ type: 'stored', id }),
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
    update: (input) => {
      save = input.save
      dispatch({ type: 'paused', is_paused: input.is_paused })
      dispatch({ type: 'edited', value: input.value, now: now() })
    },
    flush: async () => {
      dispatch({ type: 'hurried', now: now() })
      while (autosave.attempt) await running
    },
    hurry: () => {
      if (isPending(autosave)) dispatch({ type: 'hurried', now: now() })
    },
    leave: () => dispatch({ type: 'left' }),
    state: () => saveStateOf(autosave),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
