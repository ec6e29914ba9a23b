/** Undo history: the shown state with the earlier states and the undone ones. */
export type History<S> = {
  /** Earlier states, oldest first. */
  past: readonly S[]
  present: S
  /** Undone states, next redo first. */
  future: readonly S[]
  /** Key of the undo group of the last step, and the time of its last edit; null for a separate step. */
  undoGroup: { key: string; at: number } | null
}

const MAX_STEPS = 100
/** Pause after which the next edit starts a new step. */
const MAX_UNDO_GROUP_GAP_MS = 1_000

/** Returns a history with one state and no steps. */
export const openHistory = <S>(present: S): History<S> => ({
  past: [],
  present,
  future: [],
  undoGroup: null,
})

/**
 * Returns the history after an edit. Edits with one key, such as typing in one field, form one step; an edit
 * with a null key is a new step. An unchanged state adds no step.
 */
export const addStep = <S>(
  history: History<S>,
  present: S,
  { undoGroupKey, now }: { undoGroupKey: string | null; now: number },
): History<S> => {
  if (present === history.present) return history
  const isSameGroup =
    undoGroupKey !== null &&
    history.undoGroup?.key === undoGroupKey &&
    now - history.undoGroup.at < MAX_UNDO_GROUP_GAP_MS &&
    history.future.length === 0
  const past = isSameGroup ? history.past : [...history.past, history.present].slice(-MAX_STEPS)
  return {
    past,
    present,
    future: [],
    undoGroup: undoGroupKey === null ? null : { key: undoGroupKey, at: now },
  }
}

/** Returns `after` with all of its steps since `before` as one step. */
export const joinSteps = <S>(before: History<S>, after: History<S>): History<S> =>
  before.present === after.present
    ? before
    : { ...after, past: [...before.past, before.present].slice(-MAX_STEPS), undoGroup: null }

/** Returns the history one step back; unchanged if there is no earlier state. */
export const undo = <S>(history: History<S>): History<S> => {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    undoGroup: null,
  }
}

/** Returns the history one step forward; unchanged if there is no undone state. */
export const redo = <S>(history: History<S>): History<S> => {
  const [after, ...future] = history.future
  if (after === undefined) return history
  return { past: [...history.past, history.present], present: after, future, undoGroup: null }
}

/** Returns the history with `change` applied to every state. */
export const mapHistory = <S>(
  { past, present, future, undoGroup }: History<S>,
  change: (state: S) => S,
): History<S> => ({
  past: past.map(change),
  present: change(present),
  future: future.map(change),
  undoGroup,
})
