import { changesBetween, isEmpty } from '#domain/editing/changes.ts'
import type { Choices, EditConflict } from '#domain/editing/merge-rows.ts'
import type { DraftServer, LoadedDraft } from './draft-server.ts'
import { changed, type EditorDraft, mergeEditing, openDraft, sharing } from './editor-draft.ts'
import { commonBase, type RemovedRows, type SentDrafts } from './merge-base.ts'
import type { UnsavedEdits } from './unsaved-edits.ts'

/** Merges what is shown with another editing of it, by the choices made so far. */
export type Merge = (
  shown: EditorDraft,
  choices: Choices,
) => { draft: EditorDraft; clashes: readonly EditConflict[] }

export type ConflictResolver = ReturnType<typeof createConflictResolver>

/** Asks the creator which value stays wherever both sides of a merge have written the same field. */
export const createConflictResolver = ({
  shown,
  onAsk,
}: {
  shown: () => EditorDraft
  onAsk: () => void
}) => {
  let asked: { clashes: readonly EditConflict[]; answer: (choices: Choices) => void } | undefined

  return {
    /** The clashes asked about now. */
    clashes: (): readonly EditConflict[] => asked?.clashes ?? [],
    /** Answers them, each by its path; a clash without an answer is asked about again. */
    answer: (choices: Choices): void => asked?.answer(choices),
    /**
     * Asks until every clash of the merge is answered, then applies the choices. Edits go on meanwhile, so
     * the merge is computed again after each answer; nothing else is shown between the last one and `apply`.
     */
    resolve: async (merge: Merge, apply: (choices: Choices) => void): Promise<void> => {
      let choices: Choices = {}
      const answered = new Set<string>()
      for (;;) {
        const { clashes } = merge(shown(), choices)
        const open = clashes.filter((clash) => !answered.has(keyOf(clash)))
        if (open.length === 0) return apply(choices)
        const { promise, resolve: answer } = Promise.withResolvers<Choices>()
        asked = { clashes: open, answer }
        onAsk()
        const chosen = await promise
        asked = undefined
        choices = { ...choices, ...chosen }
        for (const clash of open) if (chosen[clash.path]) answered.add(keyOf(clash))
      }
    },
  }
}

/** The values are part of the key: when one of them changes, the clash is another question. */
const keyOf = ({ path, mine, theirs }: EditConflict): string => JSON.stringify([path, mine, theirs])

/** What a merge reads and changes of its session. */
type Target = {
  shown: () => EditorDraft
  stored: () => EditorDraft
  isSaving: () => boolean
  /** Makes `stored` what the server holds, and replaces each step of the history by its merge with that. */
  rebase: (stored: EditorDraft, merge: (step: EditorDraft) => EditorDraft) => void
  /** Shows a draft as one more step, to be saved. */
  show: (draft: EditorDraft) => void
}

/**
 * Merges edits from elsewhere into a session, one merge at a time: each begins with what the merge before
 * it has shown, and there is one question to the creator at a time.
 */
export const createMergeQueue = (
  { shown, stored, isSaving, rebase, show }: Target,
  {
    server,
    known,
    own,
    resolver,
  }: { server: DraftServer; known: RemovedRows; own: SentDrafts; resolver: ConflictResolver },
) => {
  let last: Promise<void> = Promise.resolve()
  const enqueue = <T>(merge: () => Promise<T>): Promise<T> => {
    const merged = last.then(merge)
    const ended = (): void => undefined
    last = merged.then(ended, ended)
    return merged
  }

  const mergeWith = (base: EditorDraft, loaded: LoadedDraft) => {
    const theirs = sharing(base, openDraft(loaded))
    const common = commonBase(base, own.sentOn(base), theirs)
    const merge: Merge = (mine, choices) =>
      mergeEditing({ base: known.completing(common, { mine, theirs }), mine, theirs }, choices)
    const apply = (choices: Choices): void => {
      known.removedBetween(base, theirs)
      rebase(theirs, (step) => merge(step, choices).draft)
    }
    return { merge, apply }
  }

  return {
    /** Merges what others have stored since `base`, on which a save was based that came too late. */
    rebase: (base: EditorDraft): Promise<EditorDraft> =>
      enqueue(async () => {
        const loaded = await server.load()
        // Another merge, before this one or while it loaded, has gone further already.
        if (stored() === base) {
          const { merge, apply } = mergeWith(base, loaded)
          await resolver.resolve(merge, apply)
        }
        return stored()
      }),
    /** Merges what others have stored, unless that asks a question: then the next save asks it. */
    refresh: (): Promise<void> =>
      enqueue(async () => {
        const loaded = await server.load()
        const base = stored()
        if (isSaving() || loaded.revision <= base.revision) return
        const { merge, apply } = mergeWith(base, loaded)
        if (merge(shown(), {}).clashes.length === 0) apply({})
      }),
    /** Puts back what an earlier visit could not store. */
    restore: (kept: UnsavedEdits): Promise<void> => {
      // What the server holds before this merge's turn: rows that the edits speak of may be gone by then.
      const loaded = stored()
      const { begun, drafts } = restoredFrom(loaded, kept)
      const mine = drafts.at(-1) ?? loaded
      const base = commonBase(begun, drafts, loaded)
      const merge: Merge = (theirs, choices) => mergeEditing({ base, mine, theirs }, choices)
      // That visit may have sent them as it ended, and the server may store them only now.
      for (const draft of drafts) own.add(loaded, draft)
      return enqueue(() =>
        resolver.resolve(merge, (choices) => {
          const { draft } = merge(shown(), choices)
          show({ ...draft, page_count: Math.max(draft.page_count, shown().page_count) })
        }),
      )
    },
  }
}

/**
 * What a visit began with, and the drafts that it made of that, of which the last was shown. Where the server has gone on
 * since, and holds none of them as it was, the beginning is what it has now, with the edits taken back.
 */
const restoredFrom = (
  loaded: EditorDraft,
  { sent = [], revision, ...last }: UnsavedEdits,
): { begun: EditorDraft; drafts: EditorDraft[] } => {
  const steps = [...sent, last]
  const edited = (from: EditorDraft, some: typeof steps): EditorDraft =>
    some.reduce((draft, { edits }) => changed(draft, edits), from)
  const isUnchanged = loaded.revision === revision
  const held = isUnchanged
    ? -1
    : steps.findLastIndex((_, index) =>
        isEmpty(changesBetween(loaded, edited(loaded, steps.slice(0, index + 1)))),
      )
  const open = steps.slice(held + 1)
  const begun = isUnchanged
    ? loaded
    : open.reduceRight((draft, { before }) => changed(draft, before), loaded)
  return { begun, drafts: open.map((_, index) => edited(begun, open.slice(0, index + 1))) }
}
