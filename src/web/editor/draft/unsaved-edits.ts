import { type Changes, changesBetween, NO_CHANGES } from '#domain/editing/changes.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { UNSAVED_EDITS_KEY_PREFIX } from './unsaved-edits-key.ts'

/** Changes from one draft to the next, and the reverse changes. */
type Step = { edits: Changes; before: Changes }

/**
 * Edits that the server has not acknowledged, stored on this device until then (docs/decisions/012). `sent`
 * holds the steps to each sent draft, which the server may hold. `revision` is the revision that the first
 * step is based on.
 */
export type UnsavedEdits = Step & { sent?: Step[]; revision?: number }

/**
 * Returns the unsaved edits from the stored draft through each sent draft to the shown one, the last of
 * `drafts`.
 */
export const createUnsavedEdits = (
  stored: Draft & { revision: number },
  drafts: readonly Draft[],
): UnsavedEdits => {
  const steps = drafts.map((draft, index) => {
    const last = drafts[index - 1] ?? stored
    return { edits: changesBetween(last, draft), before: changesBetween(draft, last) }
  })
  const last = steps.pop() ?? { edits: NO_CHANGES, before: NO_CHANGES }
  return { ...last, sent: steps, revision: stored.revision }
}

/** Maximum age of unsaved edits on this device; older ones are deleted. */
const MAX_AGE_MS = 30 * 24 * 60 * 60_000

type Entry = UnsavedEdits & { kept_at: number }
/** Unsaved edits of one quiz with their local storage key. */
export type StoredUnsavedEdits = { key: string; quiz_id: string; edits: UnsavedEdits }

/**
 * Returns a function that writes the unsaved edits of one session or, given null, deletes them. `session_id`
 * distinguishes tabs.
 */
export const createUnsavedEditsWriter = (quiz_id: string, session_id: string) => {
  const key = `${UNSAVED_EDITS_KEY_PREFIX}${quiz_id}.${session_id}`
  return (edits: UnsavedEdits | null): void => {
    try {
      if (edits) localStorage.setItem(key, JSON.stringify({ ...edits, kept_at: Date.now() }))
      else localStorage.removeItem(key)
    } catch (error) {
      // The storage is full or forbidden: the edits are still sent to the server.
      console.warn('Edits could not be kept on this device', error)
    }
  }
}

/**
 * Returns the unsaved edits of a quiz, or of all quizzes without an id, oldest first. Deletes expired and
 * unreadable entries.
 */
export const findUnsavedEdits = (quiz_id = ''): StoredUnsavedEdits[] => {
  const found: (StoredUnsavedEdits & { kept_at: number })[] = []
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(UNSAVED_EDITS_KEY_PREFIX + quiz_id)) continue
    const entry = readEntry(key)
    if (entry)
      found.push({
        key,
        quiz_id: key.slice(UNSAVED_EDITS_KEY_PREFIX.length).split('.')[0] ?? '',
        ...entry,
      })
    else localStorage.removeItem(key)
  }
  return found.sort((a, b) => a.kept_at - b.kept_at)
}

/** Deletes an entry of unsaved edits from this device. */
export const deleteUnsavedEdits = (key: string): void => localStorage.removeItem(key)

const readEntry = (key: string): { edits: UnsavedEdits; kept_at: number } | undefined => {
  const text = localStorage.getItem(key)
  try {
    const { kept_at, edits, before, sent = [], revision }: Entry = JSON.parse(text ?? '')
    const isUsable = Date.now() - kept_at < MAX_AGE_MS && [...sent, { edits, before }].every(isStep)
    return isUsable
      ? { edits: { edits, before, sent, ...(revision !== undefined && { revision }) }, kept_at }
      : undefined
  } catch {
    // The entry is truncated, or was written by another program.
    return undefined
  }
}

const isStep = (step: unknown): boolean => {
  const { edits, before } = Object(step)
  return isChanges(edits) && isChanges(before)
}

/** Returns true if a value has every field of `Changes`. */
const isChanges = (value: unknown): boolean =>
  Object.entries(NO_CHANGES).every(([name, none]) => {
    const found: unknown = Object(value)[name]
    return Array.isArray(none) ? Array.isArray(found) : Object(found) === found
  })
