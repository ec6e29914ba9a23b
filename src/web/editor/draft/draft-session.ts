import { applyChanges } from '#domain/apply-changes.ts'
import { type Changes, changesBetween, type QuizFields } from '#domain/changes.ts'
import type { Choices, Clash, Versions } from '#domain/merging.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { SaveState } from '#web/editor/autosave.ts'
import { runAutosave, type Saved } from '#web/editor/autosave-runner.ts'
import { addStep, type History, mapHistory, openHistory, redo, undo } from '#web/editor/history.ts'
import { type DraftServer, isStale, type LoadedDraft } from './draft-server.ts'
import {
  type EditorDraft,
  isSameDraft,
  mergeEditing,
  openDraft,
  sharing,
  storable,
} from './editor-draft.ts'

export type Edit = {
  /** What the change is called while it goes on: such changes undo as one. Null: a step of its own. */
  burst: string | null
  delay_ms: number
}

/** What is not stored yet: what it is, and what stood there before. */
export type KeptEdits = { edits: Changes; before: Changes }

/** What the screens show of a session; another object after every change. */
export type DraftView = {
  draft: EditorDraft
  can_undo: boolean
  can_redo: boolean
  save_state: SaveState
  /** What somebody else has written otherwise; the save waits until each is settled. */
  clashes: readonly Clash[]
}

type SessionOptions = {
  server: DraftServer
  /** Keeps what is not stored yet; null once nothing is. */
  keep: (edits: KeptEdits | null) => void
  onStored: (stored: EditorDraft) => void
  /** Tells a refusal, which no other try can change, from a failure. */
  isFinal: (error: unknown) => boolean
}

export type DraftSession = ReturnType<typeof openSession>

/** Spec §9 « Autosave held off after initial load ». */
const HOLD_MS = 1_000

/**
 * The editing of one quiz, whatever its screens: what is shown, its history, and its saves, each of which
 * sends what differs from the revision it is based on. When the quiz has gone on since, both editings are
 * merged and what is left is sent again (docs/decisions/012).
 */
export const openSession = (
  loaded: LoadedDraft,
  { server, keep, onStored, isFinal }: SessionOptions,
) => {
  let history: History<EditorDraft> = openHistory(openDraft(loaded))
  let asking: { clashes: readonly Clash[]; settle: (choices: Choices) => void } | undefined
  const listeners = new Set<() => void>()
  const failureListeners = new Set<(changes: Changes) => void>()
  const shown = (): EditorDraft => history.present

  const send = async (value: EditorDraft): Promise<Saved<EditorDraft>> => {
    const known = autosave.stored()
    const stored = storable(value, known)
    const changes = changesBetween(known, stored)
    try {
      const answer = await server.save({ based_on: known.revision, ...changes })
      onStored(stored)
      return { stored: { ...stored, ...answer } }
    } catch (error) {
      if (isStale(error)) return rebase(await server.load())
      for (const listener of failureListeners) listener(changes)
      throw error
    }
  }

  /** Takes over what others have written, having asked where both wrote the same field. */
  const rebase = async (loaded: LoadedDraft): Promise<Required<Saved<EditorDraft>>> => {
    const base = autosave.stored()
    const theirs = sharing(base, openDraft(loaded))
    const choices = await settle(() => ({ base, mine: shown(), theirs }))
    history = mapHistory(history, (mine) => mergeEditing({ base, mine, theirs }, choices).draft)
    tell()
    return { stored: theirs, shown: shown() }
  }

  /** The choices that leave no clash between these, by asking until there is none. */
  const settle = async (versions: () => Versions<EditorDraft>): Promise<Choices> => {
    let choices: Choices = {}
    for (;;) {
      const { clashes } = mergeEditing(versions(), choices)
      const open = clashes.filter(({ path }) => choices[path] === undefined)
      if (open.length === 0) return choices
      const asked = Promise.withResolvers<Choices>()
      asking = { clashes: open, settle: asked.resolve }
      tell()
      choices = { ...choices, ...(await asked.promise) }
      asking = undefined
    }
  }

  const autosave = runAutosave(shown(), {
    hold_ms: HOLD_MS,
    isSame: isSameDraft,
    save: send,
    isFinal,
    onChange: () => {
      if (autosave.state() === 'saved') keep(null)
      tell()
    },
  })

  const viewNow = (): DraftView => ({
    draft: shown(),
    can_undo: history.past.length > 0,
    can_redo: history.future.length > 0,
    save_state: autosave.state(),
    clashes: asking?.clashes ?? [],
  })
  let view = viewNow()
  const tell = (): void => {
    view = viewNow()
    for (const listener of listeners) listener()
  }

  const show = (next: History<EditorDraft>, delay_ms: number): void => {
    if (next.present === shown()) return
    history = next
    const stored = autosave.stored()
    const mine = storable(shown(), stored)
    keep({ edits: changesBetween(stored, mine), before: changesBetween(mine, stored) })
    autosave.edit(shown(), delay_ms)
    tell()
  }

  return {
    view: () => view,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (edit: (draft: EditorDraft) => EditorDraft, { burst, delay_ms }: Edit): void =>
      show(addStep(history, edit(shown()), { burst, now: Date.now() }), delay_ms),
    undo: (): void => show(undo(history), UNDO_DELAY_MS),
    redo: (): void => show(redo(history), UNDO_DELAY_MS),
    /** Another screen begins: what was done on the last is no longer undone. */
    forgetSteps: (): void => {
      history = openHistory(shown())
      tell()
    },
    /** Answers the clashes of the view, each by its path. */
    settle: (choices: Choices): void => asking?.settle(choices),
    /** Puts back what an earlier visit could not store. */
    restore: async ({ edits, before }: KeptEdits): Promise<void> => {
      const theirs = shown()
      const base = { ...theirs, ...applyChanges(theirs, before) }
      const mine = { ...theirs, ...applyChanges(theirs, edits) }
      const versions = { base, mine, theirs }
      const choices = await settle(() => versions)
      const { draft } = mergeEditing(versions, choices)
      show({ ...history, present: draft }, 0)
    },
    /** Takes over what others have written; what they wrote over is left to the save that waits. */
    refresh: async (): Promise<void> => {
      const loaded = await server.load()
      const base = autosave.stored()
      if (autosave.isSaving() || asking || loaded.revision <= base.revision) return
      const theirs = sharing(base, openDraft(loaded))
      if (mergeEditing({ base, mine: shown(), theirs }, {}).clashes.length > 0) return
      autosave.rebase(await rebase(loaded))
    },
    /** Hears of the changes of each save that failed. */
    onFailure: (listener: (changes: Changes) => void) => {
      failureListeners.add(listener)
      return () => {
        failureListeners.delete(listener)
      }
    },
    /** What the server says of the quiz beside what is edited: its status, its dates. */
    adoptQuiz: (quiz: Quiz): void => {
      const adopted = (draft: EditorDraft): EditorDraft => ({
        ...draft,
        quiz: { ...quiz, ...pickFields(draft.quiz) },
      })
      history = mapHistory(history, adopted)
      autosave.rebase({ stored: adopted(autosave.stored()), shown: shown() })
      tell()
    },
    revision: (): number => autosave.stored().revision,
    storedName: (): string => autosave.stored().quiz.name,
    pause: autosave.pause,
    flush: autosave.flush,
    hurry: autosave.hurry,
    leave: autosave.leave,
  }
}

const UNDO_DELAY_MS = 500

const pickFields = (quiz: Quiz): QuizFields => {
  const { name, bg_color, text_color, button_color, button_text_color, accent_color } = quiz
  const { consent_mode, consent_text } = quiz
  return {
    name,
    bg_color,
    text_color,
    button_color,
    button_text_color,
    accent_color,
    consent_mode,
    consent_text,
  }
}
