import {
  type Changes,
  changesBetween,
  changesToSave,
  needsPublication,
} from '#domain/editing/changes.ts'
import { SAVED_QUIZ_NAMES, type SavedQuizFields } from '#domain/editing/draft-fields.ts'
import type { EditConflict } from '#domain/editing/merge-rows.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import type { SaveState } from './autosave.ts'
import { runAutosave } from './autosave-runner.ts'
import {
  type DraftServer,
  isStale,
  type LoadedDraft,
  type Refusal,
  refusalOf,
} from './draft-server.ts'
import {
  type EditorDraft,
  isSameDraft,
  rememberResultNames,
  toEditorDraft,
  toStorableDraft,
} from './editor-draft.ts'
import { addStep, type History, joinSteps, mapHistory, openHistory, redo, undo } from './history.ts'
import { createRemovedRows, createSentDrafts } from './merge-base.ts'
import { createConflictResolver, createMergeQueue } from './merge-queue.ts'
import { createUnsavedEdits, type UnsavedEdits } from './unsaved-edits.ts'

/** Undo grouping and autosave timing of an edit. */
export type Edit = {
  /** Key that groups successive edits into one undo step; null for a separate step. */
  undoGroupKey: string | null
  /** Kind of edit; edits of one kind are saved together after `delay_ms` without another one. */
  kind: string
  delay_ms: number
}

/** State of a session for the screens; a new object after every change. */
export type DraftView = {
  draft: EditorDraft
  can_undo: boolean
  can_redo: boolean
  save_state: SaveState
  /** Reason why the server refused the last save; null after a successful save. */
  refusal: Refusal | null
  /** Fields that another author has changed too. Saves wait until the creator has chosen a value for each. */
  conflicts: readonly EditConflict[]
}

type SessionOptions = {
  server: DraftServer
  /** Writes unsaved edits to this device; called with null when the server has stored everything. */
  writeUnsavedEdits: (edits: UnsavedEdits | null) => void
  onStored: (stored: EditorDraft) => void
  /** Returns true for errors that a retry cannot fix. */
  isFinal: (error: unknown) => boolean
}

/** Editing session of one quiz. */
export type DraftSession = ReturnType<typeof createDraftSession>

/** Time for which a loaded draft is fresh (product 5.7). */
const FRESH_MS = 5 * 60_000

/** Time without autosaves after the initial load (product 5.3). */
const LOAD_HOLD_MS = 1_000

/**
 * Opens the editing session of one quiz, shared by its screens. Each save sends the difference from the
 * revision it is based on. If the server has a newer revision, both drafts are merged and the remaining
 * difference is sent again (docs/decisions/012).
 */
export const createDraftSession = (
  loaded: LoadedDraft,
  { server, writeUnsavedEdits, onStored, isFinal }: SessionOptions,
) => {
  let history: History<EditorDraft> = openHistory(toEditorDraft(loaded))
  const listeners = new Set<() => void>()
  const failureListeners = new Set<(changes: Changes, stored: EditorDraft) => void>()
  const presentDraft = (): EditorDraft => history.present

  let refusal: Refusal | null = null
  // Time at which the stored draft was last known to be that of the server.
  let read_at = Date.now()
  const send = async (value: EditorDraft): Promise<EditorDraft> => {
    const base = autosave.stored()
    const stored = toStorableDraft(value, base)
    const changes = changesToSave(base, stored)
    const markNotStored = sentDrafts.add(base, stored)
    try {
      const answer = await server.save({ based_on: base.revision, ...changes })
      read_at = Date.now()
      removedRows.removedBetween(base, stored)
      refusal = null
      onStored(stored)
      return { ...stored, ...answer }
    } catch (error) {
      if (isStale(error) || isFinal(error)) markNotStored()
      if (isStale(error)) return merges.rebase(base)
      if (isFinal(error)) refusal = refusalOf(error, changes)
      for (const listener of failureListeners) listener(changes, base)
      throw error
    }
  }

  const autosave = runAutosave(presentDraft(), {
    hold_ms: LOAD_HOLD_MS,
    isSame: isSameDraft,
    hasUnconfirmedSaves: (stored) => sentDrafts.sentOn(stored).length > 0,
    save: send,
    isFinal,
    onChange: () => {
      if (autosave.state() === 'saved') writeUnsavedEdits(null)
      notify()
    },
  })

  // Stored draft that was last compared, and the revision of the last change that needs a publication.
  let content = { draft: presentDraft(), revision: 0 }
  const contentRevision = (): number => {
    const draft = autosave.stored()
    if (draft !== content.draft) {
      const isChanged = needsPublication(changesBetween(content.draft, draft))
      content = { draft, revision: isChanged ? draft.revision : content.revision }
    }
    return content.revision
  }

  const rebase = (stored: EditorDraft, merge: (step: EditorDraft) => EditorDraft): void => {
    history = mapHistory(history, merge)
    autosave.rebase({ stored, shown: presentDraft() })
    notify()
  }

  const removedRows = createRemovedRows()
  const sentDrafts = createSentDrafts()
  const resolver = createConflictResolver({ shown: presentDraft, onAsk: () => notify() })
  const loadDraft = async (): Promise<LoadedDraft> => {
    const draft = await server.load()
    read_at = Date.now()
    return draft
  }
  const merges = createMergeQueue(
    {
      shown: presentDraft,
      stored: autosave.stored,
      isSaving: autosave.isSaving,
      rebase,
      show: (draft) => show({ ...history, present: draft }, RESTORE),
    },
    { server: { load: loadDraft }, removedRows, sentDrafts, resolver },
  )

  const viewNow = (): DraftView => ({
    draft: presentDraft(),
    can_undo: history.past.length > 0,
    can_redo: history.future.length > 0,
    save_state: autosave.state(),
    refusal: autosave.state() === 'saved' ? null : refusal,
    conflicts: resolver.conflicts(),
  })
  let view = viewNow()
  const notify = (): void => {
    view = viewNow()
    for (const listener of listeners) listener()
  }

  const show = (next: History<EditorDraft>, edit: Omit<Edit, 'undoGroupKey'>): void => {
    if (next.present === presentDraft()) return
    history = next
    const stored = autosave.stored()
    writeUnsavedEdits(
      createUnsavedEdits(stored, [
        ...sentDrafts.sentOn(stored),
        toStorableDraft(presentDraft(), stored),
      ]),
    )
    autosave.edit(presentDraft(), edit)
    notify()
  }

  return {
    view: () => view,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (
      change: (draft: EditorDraft) => EditorDraft,
      { undoGroupKey, ...edit }: Edit,
    ): void => {
      const changed = dropLostReferences(change(presentDraft()))
      show(
        addStep(history, rememberResultNames(presentDraft(), changed), {
          undoGroupKey,
          now: Date.now(),
        }),
        edit,
      )
    },
    /** Runs synchronous edits, which one undo then reverts. */
    inOneStep: (edit: () => void): void => {
      const before = history
      edit()
      history = joinSteps(before, history)
      notify()
    },
    undo: (): void => show(undo(history), UNDO),
    redo: (): void => show(redo(history), UNDO),
    /** Applies a change to every step of the history, so that no undo reverts it. */
    changeEveryStep: (
      change: (draft: EditorDraft) => EditorDraft,
      edit: Omit<Edit, 'undoGroupKey'>,
    ): void => show(mapHistory(history, change), edit),
    /** Resolves the conflicts of the view with the creator's choices, keyed by path. */
    resolveConflicts: resolver.answer,
    restore: merges.restore,
    refresh: merges.refresh,
    /** Merges what others have stored, if the draft is no longer fresh. */
    refreshIfStale: async (): Promise<void> => {
      if (Date.now() - read_at >= FRESH_MS) await merges.refresh()
    },
    /**
     * Calls `listener` with the changes of each failed save, except a save that is merged with a newer revision. Returns a
     * function that unsubscribes.
     */
    onFailure: (listener: (changes: Changes, stored: EditorDraft) => void) => {
      failureListeners.add(listener)
      return () => {
        failureListeners.delete(listener)
      }
    },
    /**
     * Copies the fields that only the server writes, such as status and dates, into every step of the
     * history.
     */
    updateServerFields: (quiz: Quiz): void => {
      const adopted = (draft: EditorDraft): EditorDraft => ({
        ...draft,
        quiz: { ...quiz, ...pickFields(draft.quiz) },
      })
      rebase(adopted(autosave.stored()), adopted)
    },
    revision: (): number => autosave.stored().revision,
    /** Returns the revision of the last stored change that needs a publication; 0 without one in this session. */
    contentRevision,
    /** Returns true if an edit that needs a publication is not stored yet. */
    hasUnsavedContent: (): boolean => {
      const stored = autosave.stored()
      return needsPublication(changesBetween(stored, toStorableDraft(presentDraft(), stored)))
    },
    storedName: (): string => autosave.stored().quiz.name,
    pause: autosave.pause,
    flush: autosave.flush,
    saveSoon: autosave.saveSoon,
    saveOnPageClose: autosave.saveOnPageClose,
  }
}

const UNDO = { kind: 'undo', delay_ms: 500 }
const RESTORE = { kind: 'restore', delay_ms: 0 }

const pickFields = (quiz: Quiz): Partial<SavedQuizFields> =>
  Object.fromEntries(SAVED_QUIZ_NAMES.map((name) => [name, quiz[name]]))
