import { applyChanges } from '#domain/apply-changes.ts'
import {
  type Changes,
  changesBetween,
  NO_CHANGES,
  QUIZ_FIELDS,
  type QuizFields,
} from '#domain/changes.ts'
import type { Choices, Clash } from '#domain/merging.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { SaveState } from '#web/editor/autosave.ts'
import { runAutosave } from '#web/editor/autosave-runner.ts'
import { addStep, type History, mapHistory, openHistory, redo, undo } from '#web/editor/history.ts'
import { type DraftServer, isStale, type LoadedDraft } from './draft-server.ts'
import {
  type EditorDraft,
  isSameDraft,
  mergeEditing,
  openDraft,
  sharing,
  storable,
  withLastNames,
} from './editor-draft.ts'
import { createKnownRows } from './known-rows.ts'

export type Edit = {
  /** What the change is called while it goes on: such changes undo as one. Null: a step of its own. */
  burst: string | null
  /** Changes of one kind are saved together, once none has come for the delay. */
  kind: string
  delay_ms: number
}

/** What is shown, merged with what comes from elsewhere. */
type Merge = (
  shown: EditorDraft,
  choices: Choices,
) => { draft: EditorDraft; clashes: readonly Clash[] }

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
  const known = createKnownRows()
  const listeners = new Set<() => void>()
  const failureListeners = new Set<(changes: Changes) => void>()
  const shown = (): EditorDraft => history.present

  const send = async (value: EditorDraft): Promise<EditorDraft> => {
    const base = autosave.stored()
    const stored = storable(value, base)
    const changes = changesBetween(base, stored)
    try {
      known.added(base, stored)
      const answer = await server.save({ based_on: base.revision, ...changes })
      known.removedBetween(base, stored)
      onStored(stored)
      return { ...stored, ...answer }
    } catch (error) {
      if (isStale(error)) return enqueue(() => rebase(base))
      for (const listener of failureListeners) listener(changes)
      throw error
    }
  }

  /**
   * What takes over other edits happens one after another: each begins with what the one before it has
   * shown, and there is one question to the creator at a time.
   */
  const enqueue = <T>(merge: () => Promise<T>): Promise<T> => {
    const merged = queue.then(merge)
    const ended = (): void => undefined
    queue = merged.then(ended, ended)
    return merged
  }
  let queue: Promise<void> = Promise.resolve()

  /** Takes over what others have written since `base`, having asked where both wrote the same field. */
  const rebase = async (base: EditorDraft): Promise<EditorDraft> => {
    const loaded = await server.load()
    // Another merge, before this one or while it loaded, has gone further already.
    if (autosave.stored() === base) {
      const { merge, takeOver } = mergingWith(base, loaded)
      await settle(merge, takeOver)
    }
    return autosave.stored()
  }

  const mergingWith = (base: EditorDraft, loaded: LoadedDraft) => {
    const theirs = sharing(base, openDraft(loaded))
    const merge: Merge = (mine, choices) =>
      mergeEditing({ base: known.completing(base, { mine, theirs }), mine, theirs }, choices)
    const takeOver = (choices: Choices): void => {
      history = mapHistory(history, (mine) => merge(mine, choices).draft)
      known.removedBetween(base, theirs)
      autosave.rebase({ stored: theirs, shown: shown() })
      tell()
    }
    return { merge, takeOver }
  }

  /** Asks until no clash with what is shown is open, then goes on before anything else is shown. */
  const settle = async (merge: Merge, goOn: (choices: Choices) => void): Promise<void> => {
    let choices: Choices = {}
    const answered = new Set<string>()
    for (;;) {
      const { clashes } = merge(shown(), choices)
      const open = clashes.filter((clash) => !answered.has(questionOf(clash)))
      if (open.length === 0) return goOn(choices)
      const asked = Promise.withResolvers<Choices>()
      asking = { clashes: open, settle: asked.resolve }
      tell()
      const answer = await asked.promise
      asking = undefined
      choices = { ...choices, ...answer }
      for (const clash of open) if (answer[clash.path]) answered.add(questionOf(clash))
    }
  }
  let asking: { clashes: readonly Clash[]; settle: (choices: Choices) => void } | undefined

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

  const show = (next: History<EditorDraft>, edit: Omit<Edit, 'burst'>): void => {
    if (next.present === shown()) return
    history = next
    const stored = autosave.stored()
    const mine = storable(shown(), stored)
    keep({ edits: changesBetween(stored, mine), before: changesBetween(mine, stored) })
    autosave.edit(shown(), edit)
    tell()
  }

  return {
    view: () => view,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (change: (draft: EditorDraft) => EditorDraft, { burst, ...edit }: Edit): void =>
      show(
        addStep(history, withLastNames(shown(), change(shown())), { burst, now: Date.now() }),
        edit,
      ),
    undo: (): void => show(undo(history), UNDO),
    redo: (): void => show(redo(history), UNDO),
    /** Takes back rows that could not be stored: no step of the history has them any more. */
    discard: (ids: string[]): void => {
      const without = (draft: EditorDraft): EditorDraft => ({
        ...draft,
        ...applyChanges(draft, { ...NO_CHANGES, removed: ids }),
      })
      show(mapHistory(history, without), UNDO)
    },
    /** Another screen begins: what was done on the last is no longer undone. */
    forgetSteps: (): void => {
      history = openHistory(shown())
      tell()
    },
    /** Answers the clashes of the view, each by its path. */
    settle: (choices: Choices): void => asking?.settle(choices),
    /** Puts back what an earlier visit could not store. */
    restore: ({ edits, before }: KeptEdits): Promise<void> => {
      // Whatever is stored until its turn has come: rows it speaks of may be gone by then.
      const loaded = autosave.stored()
      const base = { ...loaded, ...applyChanges(loaded, before) }
      const mine = { ...loaded, ...applyChanges(loaded, edits) }
      const merge: Merge = (theirs, choices) => mergeEditing({ base, mine, theirs }, choices)
      return enqueue(() =>
        settle(merge, (choices) => {
          const { draft } = merge(shown(), choices)
          const page_count = Math.max(draft.page_count, shown().page_count)
          show({ ...history, present: { ...draft, page_count } }, RESTORE)
        }),
      )
    },
    /** Takes over what others have written; what they wrote over is left to the save that waits. */
    refresh: (): Promise<void> =>
      enqueue(async () => {
        const loaded = await server.load()
        const base = autosave.stored()
        if (autosave.isSaving() || loaded.revision <= base.revision) return
        const { merge, takeOver } = mergingWith(base, loaded)
        if (merge(shown(), {}).clashes.length === 0) takeOver({})
      }),
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

const UNDO = { kind: 'undo', delay_ms: 500 }
const RESTORE = { kind: 'restore', delay_ms: 0 }

/** What is asked: the same clash with another value is another question. */
const questionOf = ({ path, mine, theirs }: Clash): string => JSON.stringify([path, mine, theirs])

const pickFields = (quiz: Quiz): Partial<QuizFields> =>
  Object.fromEntries(QUIZ_FIELDS.map((name) => [name, quiz[name]]))
