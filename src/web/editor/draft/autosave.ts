/**
 * When to save a value that is being edited (spec §4 « Autosave », decisions « Silent cases »): after
 * a delay without change, never twice at once, never what the server has already, and again after a
 * failure. Times are milliseconds of one clock; `isSame` tells whether there is nothing to save between two values.
 */
export type Autosave<T> = {
  /** The last value the server is known to hold. */
  stored: T
  /** What the editor shows. */
  shown: T
  /** The save under way. */
  attempt: { id: number; value: T } | null
  last_id: number
  /** When what waits is to be saved, by what it is: the delay of one kind of edit is not that of another. */
  dues: Readonly<Record<string, number>>
  /** Saves that failed since the last one that did not. */
  failures: number
  /** The server will never take the shown value; another edit tries again. */
  is_refused: boolean
  /** A caller awaits the save: neither pause nor delay applies. */
  is_hurried: boolean
  is_paused: boolean
  held_until: number
  isSame: (a: T, b: T) => boolean
  /** Whether a save without an answer may have replaced the stored value. */
  isInDoubt: (stored: T) => boolean
}

export type AutosaveEvent<T> =
  | { type: 'edited'; value: T; kind: string; now: number; delay_ms: number }
  /** The server has gone on: this is what it holds, and what the editor shows by that. */
  | { type: 'rebased'; stored: T; shown: T; now: number }
  | { type: 'paused'; is_paused: boolean }
  /** The delay is over: saves, unless something is under way or there is nothing to save. */
  | { type: 'due'; now: number }
  /** Publishing, leaving the screen, back online: saves without delay. */
  | { type: 'hurried'; now: number }
  /** The page goes away: nothing can wait for the save under way. */
  | { type: 'left' }
  /** `value` is what the server holds by that. */
  | { type: 'stored'; id: number; value: T }
  | { type: 'failed'; id: number; now: number }
  | { type: 'refused'; id: number }

/** What the header says: all stored, on its way, to be tried again, or not taken by the server. */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused'

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 30_000

export const openAutosave = <T>(
  value: T,
  { now, ...options }: { now: number; hold_ms: number } & Pick<Autosave<T>, 'isSame' | 'isInDoubt'>,
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
  isInDoubt: options.isInDoubt,
})

/** Pause before the next try: 200 ms, doubling up to 30 s. */
export const autosaveRetryDelay = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS)

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
      return event.id === autosave.attempt?.id ? settle(autosave, event) : autosave
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

/** When the next save starts, which stores all that waits; null when nothing does. */
export const dueAt = <T>({ dues }: Pick<Autosave<T>, 'dues'>): number | null => {
  const times = Object.values(dues)
  return times.length === 0 ? null : Math.min(...times)
}

/** The save under way, if any, was refused by that: what is left to save is saved at once. */
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

/** Begins a save of the shown value, unless the server has it or is being given it. */
const start = <T>(autosave: Autosave<T>): Autosave<T> => {
  const { shown, stored, attempt, last_id } = autosave
  const calm = { ...autosave, dues: {}, is_hurried: false }
  const isKnown = attempt !== null || !autosave.isInDoubt(stored)
  if (isKnown && autosave.isSame(shown, attempt ? attempt.value : stored)) return calm
  const id = last_id + 1
  return { ...calm, attempt: { id, value: shown }, last_id: id }
}

type Outcome<T> = Extract<AutosaveEvent<T>, { id: number }>

const settle = <T>(autosave: Autosave<T>, outcome: Outcome<T>): Autosave<T> => {
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

/** True while a value is not known to be stored (a refused one is no longer on its way). */
export const isPending = <T>(autosave: Autosave<T>): boolean =>
  autosave.attempt !== null || dueAt(autosave) !== null

export const saveStateOf = <T>(autosave: Autosave<T>): SaveState => {
  if (autosave.is_refused) return 'refused'
  if (!isPending(autosave)) return 'saved'
  return autosave.failures > 0 ? 'waiting' : 'saving'
}
