import { changesBetween, hasNoChanges } from '#domain/editing/changes.ts'
import type { ConflictChoices, EditConflict } from '#domain/editing/merge-rows.ts'
import type { DraftServer, LoadedDraft } from './draft-server.ts'
import { type EditorDraft, reuseUnchanged, toEditorDraft, withChanges } from './editor-draft.ts'
import { commonBase, type RemovedRows, type SentDrafts } from './merge-base.ts'
import type { UnsavedEdits } from './unsaved-edits.ts'

/** Merges the shown draft with another version, using the choices made so far. */
export type Merge = (
  shown: EditorDraft,
  choices: ConflictChoices,
) => { draft: EditorDraft; conflicts: readonly EditConflict[] }

/** Resolver of merge conflicts. */
export type ConflictResolver = ReturnType<typeof createConflictResolver>

/**
 * Creates a resolver that asks the creator which value to keep for fields changed on both sides of a merge.
 */
export const createConflictResolver = ({
  shown,
  onAsk,
}: {
  shown: () => EditorDraft
  onAsk: () => void
}) => {
  let pending:
    | { conflicts: readonly EditConflict[]; answer: (choices: ConflictChoices) => void }
    | undefined

  return {
    /** Returns the conflicts that the creator is asked about now. */
    conflicts: (): readonly EditConflict[] => pending?.conflicts ?? [],
    /** Answers the current conflicts by path. A conflict without an answer is asked about again. */
    answer: (choices: ConflictChoices): void => pending?.answer(choices),
    /**
     * Asks until every conflict of the merge is answered, then applies the choices. The merge is computed
     * again after each answer, because the creator can edit meanwhile. No edit can happen between the last
     * merge and `apply`.
     */
    resolve: async (merge: Merge, apply: (choices: ConflictChoices) => void): Promise<void> => {
      let choices: ConflictChoices = {}
      const answered = new Set<string>()
      for (;;) {
        const { conflicts } = merge(shown(), choices)
        const open = conflicts.filter((conflict) => !answered.has(keyOf(conflict)))
        if (open.length === 0) return apply(choices)
        const { promise, resolve: answer } = Promise.withResolvers<ConflictChoices>()
        pending = { conflicts: open, answer }
        onAsk()
        const newChoices = await promise
        pending = undefined
        choices = { ...choices, ...newChoices }
        for (const conflict of open) if (newChoices[conflict.path]) answered.add(keyOf(conflict))
      }
    },
  }
}

/**
 * Returns the key of a conflict. The key contains both values, so that a changed value is asked about again.
 */
const keyOf = ({ path, mine, theirs }: EditConflict): string => JSON.stringify([path, mine, theirs])

type MergeEditing = typeof import('./merge-editing.ts')['mergeEditing']

/** Loads the function that merges two versions of a draft; a failed load is tried again by the next merge. */
export const loadMergeEditing = (): Promise<MergeEditing> =>
  import('./merge-editing.ts').then((module) => module.mergeEditing)

/** Parts of a session that a merge reads and changes. */
type Target = {
  shown: () => EditorDraft
  stored: () => EditorDraft
  isSaving: () => boolean
  /** Sets the draft that the server holds, and replaces each step of the history by `merge(step)`. */
  rebase: (stored: EditorDraft, merge: (step: EditorDraft) => EditorDraft) => void
  /** Shows a draft as a new undo step, which is then saved. */
  show: (draft: EditorDraft) => void
}

/**
 * Merges edits from elsewhere into a session, one merge at a time. Each merge starts from the result of the
 * previous one, so that the creator answers one question at a time.
 */
export const createMergeQueue = (
  { shown, stored, isSaving, rebase, show }: Target,
  {
    server,
    removedRows,
    sentDrafts,
    resolver,
  }: {
    server: Pick<DraftServer, 'load'>
    removedRows: RemovedRows
    sentDrafts: SentDrafts
    resolver: ConflictResolver
  },
) => {
  let last: Promise<void> = Promise.resolve()
  const enqueue = <T>(merge: () => Promise<T>): Promise<T> => {
    const merged = last.then(merge)
    const ended = (): void => undefined
    last = merged.then(ended, ended)
    return merged
  }

  const mergeWith = (base: EditorDraft, loaded: LoadedDraft, mergeEditing: MergeEditing) => {
    const theirs = reuseUnchanged(base, toEditorDraft(loaded))
    const common = commonBase(base, sentDrafts.sentOn(base), theirs)
    const merge: Merge = (mine, choices) =>
      mergeEditing(
        { base: removedRows.completing(common, { mine, theirs }), mine, theirs },
        choices,
      )
    const apply = (choices: ConflictChoices): void => {
      removedRows.removedBetween(base, theirs)
      rebase(theirs, (step) => merge(step, choices).draft)
    }
    return { merge, apply }
  }

  return {
    /**
     * Merges what others have stored since `base`, after a save based on `base` was rejected as outdated.
     * Returns the stored draft.
     */
    rebase: (base: EditorDraft): Promise<EditorDraft> =>
      enqueue(async () => {
        const [loaded, mergeEditing] = await Promise.all([server.load(), loadMergeEditing()])
        // Skips the merge if another merge has already replaced `base`.
        if (stored() === base) {
          const { merge, apply } = mergeWith(base, loaded, mergeEditing)
          await resolver.resolve(merge, apply)
        }
        return stored()
      }),
    /**
     * Merges what others have stored if there is no conflict. With a conflict nothing changes, because the
     * next save asks the creator.
     */
    refresh: (): Promise<void> =>
      enqueue(async () => {
        const [loaded, mergeEditing] = await Promise.all([server.load(), loadMergeEditing()])
        const base = stored()
        if (isSaving() || loaded.revision <= base.revision) return
        const { merge, apply } = mergeWith(base, loaded, mergeEditing)
        if (merge(shown(), {}).conflicts.length === 0) apply({})
      }),
    /** Restores edits that an earlier visit could not store. */
    restore: (kept: UnsavedEdits): Promise<void> => {
      // Read before the merge waits in the queue, because an earlier merge may remove rows that the edits
      // refer to.
      const loaded = stored()
      const { start, drafts } = restoredFrom(loaded, kept)
      const mine = drafts.at(-1) ?? loaded
      const base = commonBase(start, drafts, loaded)
      // The earlier visit may have sent these drafts when it ended, so the server may still store them.
      for (const draft of drafts) sentDrafts.add(loaded, draft)
      return enqueue(async () => {
        const mergeEditing = await loadMergeEditing()
        const merge: Merge = (theirs, choices) => mergeEditing({ base, mine, theirs }, choices)
        await resolver.resolve(merge, (choices) => {
          const { draft } = merge(shown(), choices)
          show({ ...draft, page_count: Math.max(draft.page_count, shown().page_count) })
        })
      })
    },
  }
}

/**
 * Returns the draft that an earlier visit started from and its drafts, the shown one last. Steps that the
 * loaded draft already contains are skipped. If the revision has changed, the start is the loaded draft with
 * the remaining edits reversed.
 */
const restoredFrom = (
  loaded: EditorDraft,
  { sent = [], revision, ...last }: UnsavedEdits,
): { start: EditorDraft; drafts: EditorDraft[] } => {
  const steps = [...sent, last]
  const applyEdits = (from: EditorDraft, some: typeof steps): EditorDraft =>
    some.reduce((draft, { edits }) => withChanges(draft, edits), from)
  const isUnchanged = loaded.revision === revision
  const last_stored_index = isUnchanged
    ? -1
    : steps.findLastIndex((_, index) =>
        hasNoChanges(changesBetween(loaded, applyEdits(loaded, steps.slice(0, index + 1)))),
      )
  const remainingSteps = steps.slice(last_stored_index + 1)
  const start = isUnchanged
    ? loaded
    : remainingSteps.reduceRight((draft, { before }) => withChanges(draft, before), loaded)
  return {
    start,
    drafts: remainingSteps.map((_, index) => applyEdits(start, remainingSteps.slice(0, index + 1))),
  }
}
