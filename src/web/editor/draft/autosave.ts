/**
 * State of the autosave of one value (product 5.2, 5.4). Saves start after a delay without edits, one at a time, and
 * are retried after a failure. All times are milliseconds of one clock.
 */
export type Autosave<T> = {
  /** Last value that the server is known to hold. */
  stored: T
  /** Value that the editor shows. */
  shown: T
  /** Save in progress; null when there is none. */
  attempt: { id: number; value: T } | null
  last_id: number
  /** Due time of the next save for each kind of edit, because kinds of edits have different delays. */
  dues: Readonly<Record<string, number>>
  /** Number of failed saves since the last successful one. */
  failures: number
  /** True if the server rejected the shown value for good. The next edit triggers a new save. */
  is_refused: boolean
  /** True if a caller waits for the save, so that pauses and delays are ignored. */
  is_hurried: boolean
  is_paused: boolean
  held_until: number
  isSame: (a: T, b: T) => boolean
  /** Returns true if an unanswered save may have replaced the stored value. */
  hasUnconfirmedSaves: (stored: T) => boolean
}

/** Event that changes the state of the autosave. */
export type AutosaveEvent<T> =
  | { type: 'edited'; value: T; kind: string; now: number; delay_ms: number }
  /** Merge with a newer revision: the value that the server holds, and the merged value on screen. */
  | { type: 'rebased'; stored: T; shown: T; now: number }
  | { type: 'paused'; is_paused: boolean }
  /** End of the delay. Starts a save if none is in progress and there is something to save. */
  | { type: 'due'; now: number }
  /** Publishing, leaving the screen or coming back online. Starts a save without delay. */
  | { type: 'hurried'; now: number }
  /** Page being closed. Starts a save even during another one. */
  | { type: 'left' }
  /** Successful save; `value` is what the server now holds. */
  | { type: 'stored'; id: number; value: T }
  | { type: 'failed'; id: number; now: number }
  | { type: 'refused'; id: number }

/** Save state shown in the header: stored, in progress, to be retried, or rejected by the server. */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused'

const FIRST_RETRY_MS = 200
const MAX_RETRY_MS = 30_000

/**
 * Returns the initial state for a value that the server holds. Delayed saves wait until `hold_ms` have passed; the events
 * `hurried` and `left` save at once.
 */
export const createAutosave = <T>(
  value: T,
  {
    now,
    ...options
  }: { now: number; hold_ms: number } & Pick<Autosave<T>, 'isSame' | 'hasUnconfirmedSaves'>,
): Autosave<T> => ({
  stored: value,
  shown: value,
  attempt: null,
  last_id: 0,
  dues: {},
  failures: 0,
  is_refused: false,
  is_hurried: false,
  is_paused: false,
  held_until: now + options.hold_ms,
  isSame: options.isSame,
  hasUnconfirmedSaves: options.hasUnconfirmedSaves,
})

/** Returns the delay before the next attempt: 200 ms, doubled after each failure, at most 30 s. */
export const autosaveRetryDelay = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS)

/** Returns the state after an event. A new `attempt` in the state tells the caller to start that save. */
export const autosaveReducer = <T>(autosave: Autosave<T>, event: AutosaveEvent<T>): Autosave<T> => {
  switch (event.type) {
    case 'edited':
      return event.value === autosave.shown ? autosave : edit(autosave, event)
    case 'rebased':
      return rebase(autosave, event)
    case 'paused':
      return autosave.is_paused === event.is_paused
        ? autosave
        : { ...autosave, is_paused: event.is_paused }
    case 'due':
      return canStart(autosave, event.now) ? start(autosave) : autosave
    case 'hurried': {
      if (!isPending(autosave) && !autosave.is_refused) return autosave
      const dues = { ...autosave.dues, hurry: event.now }
      const hurried = { ...autosave, is_hurried: true, is_refused: false, dues }
      return canStart(hurried, event.now) ? start(hurried) : hurried
    }
    case 'left':
      return start(autosave)
    default:
      return event.id === autosave.attempt?.id ? applyOutcome(autosave, event) : autosave
  }
}

type Edit<T> = { value: T; kind: string; now: number; delay_ms: number }

const edit = <T>(autosave: Autosave<T>, { value, kind, now, delay_ms }: Edit<T>): Autosave<T> => {
  const retry_at = autosave.failures > 0 ? (dueAt(autosave) ?? now) : now
  const due_at = Math.max(now + delay_ms, autosave.held_until, retry_at)
  return {
    ...autosave,
    shown: value,
    is_refused: false,
    dues: { ...autosave.dues, [kind]: due_at },
  }
}

/** Returns the time of the next save, which stores all pending edits; null when no edit is pending. */
export const dueAt = <T>({ dues }: Pick<Autosave<T>, 'dues'>): number | null => {
  const times = Object.values(dues)
  return times.length === 0 ? null : Math.min(...times)
}

/**
 * Abandons the save in progress, which the server rejected as outdated. Remaining edits are saved at once.
 */
const rebase = <T>(
  autosave: Autosave<T>,
  { stored, shown, now }: { stored: T; shown: T; now: number },
): Autosave<T> => ({
  ...autosave,
  stored,
  shown,
  attempt: null,
  failures: 0,
  is_refused: false,
  dues: autosave.isSame(shown, stored) ? {} : { rebase: now },
})

const canStart = <T>(autosave: Autosave<T>, now: number): boolean =>
  autosave.attempt === null &&
  (dueAt(autosave) ?? Number.POSITIVE_INFINITY) <= now &&
  (autosave.is_hurried || !autosave.is_paused)

/** Starts a save of the shown value, unless the server holds that value or is receiving it. */
const start = <T>(autosave: Autosave<T>): Autosave<T> => {
  const { shown, stored, attempt, last_id } = autosave
  const idle = { ...autosave, dues: {}, is_hurried: false }
  const isKnown = attempt !== null || !autosave.hasUnconfirmedSaves(stored)
  if (isKnown && autosave.isSame(shown, attempt ? attempt.value : stored)) return idle
  const id = last_id + 1
  return { ...idle, attempt: { id, value: shown }, last_id: id }
}

type Outcome<T> = Extract<AutosaveEvent<T>, { id: number }>

const applyOutcome = <T>(autosave: Autosave<T>, outcome: Outcome<T>): Autosave<T> => {
  const idle = { ...autosave, attempt: null }
  switch (outcome.type) {
    case 'stored':
      return { ...idle, stored: outcome.value, failures: 0 }
    case 'failed': {
      const failures = autosave.failures + 1
      const retry_at = outcome.now + autosaveRetryDelay(failures)
      return { ...idle, failures, is_hurried: false, dues: { retry: retry_at } }
    }
    case 'refused':
      return { ...idle, failures: 0, is_hurried: false, is_refused: dueAt(autosave) === null }
  }
}

/** Returns true while the shown value is not known to be stored. A rejected value is not pending. */
export const isPending = <T>(autosave: Autosave<T>): boolean =>
  autosave.attempt !== null || dueAt(autosave) !== null

/** Returns the save state for the header. */
export const saveStateOf = <T>(autosave: Autosave<T>): SaveState => {
  if (autosave.is_refused) return 'refused'
  if (!isPending(autosave)) return 'saved'
  return autosave.failures > 0 ? 'waiting' : 'saving'
}
