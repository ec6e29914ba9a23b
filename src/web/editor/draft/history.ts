/** What a screen shows, with the steps that lead back from it and forth again. */
export type History<S> = {
  /** Oldest first. */
  past: readonly S[]
  present: S
  /** Next first. */
  future: readonly S[]
  /** The burst that the last step belongs to, and when it was last added to. */
  burst: { key: string; at: number } | null
}

const MOST_STEPS = 100
/** A pause this long begins another step. */
const BURST_MS = 1_000

export const openHistory = <S>(present: S): History<S> => ({
  past: [],
  present,
  future: [],
  burst: null,
})

/**
 * The history after a change. Changes of one burst (typing in one field) are one step; `burst` null is
 * a step of its own. A change that changed nothing is none.
 */
export const addStep = <S>(
  history: History<S>,
  present: S,
  { burst, now }: { burst: string | null; now: number },
): History<S> => {
  if (present === history.present) return history
  const isSameBurst =
    burst !== null &&
    history.burst?.key === burst &&
    now - history.burst.at < BURST_MS &&
    history.future.length === 0
  const past = isSameBurst ? history.past : [...history.past, history.present].slice(-MOST_STEPS)
  return { past, present, future: [], burst: burst === null ? null : { key: burst, at: now } }
}

export const undo = <S>(history: History<S>): History<S> => {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    burst: null,
  }
}

export const redo = <S>(history: History<S>): History<S> => {
  const [after, ...future] = history.future
  if (after === undefined) return history
  return { past: [...history.past, history.present], present: after, future, burst: null }
}

/** The same steps, each made into what `change` gives. */
export const mapHistory = <S>(
  { past, present, future, burst }: History<S>,
  change: (state: S) => S,
): History<S> => ({
  past: past.map(change),
  present: change(present),
  future: future.map(change),
  burst,
})
