import { type Changes, changesBetween, NO_CHANGES } from '#domain/editing/changes.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { UNSAVED_EDITS_KEY_PREFIX } from './unsaved-edits-key.ts'

/** What leads from one draft to the next, and back. */
type Step = { edits: Changes; before: Changes }

/**
 * Edits that no server has acknowledged, kept on this device until one has (docs/decisions/012): the last step, those before it
 * that lead to each draft that was sent, which the server may hold, and the revision that the first of them is based on.
 */
export type UnsavedEdits = Step & { sent?: Step[]; revision?: number }

/** What is kept of the drafts that were made of the stored one: each that was sent, and at last the one that is shown. */
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

/** Edits of a quiz that was not opened again for this long are forgotten. */
const LONGEST_MS = 30 * 24 * 60 * 60_000

type Entry = UnsavedEdits & { kept_at: number }
export type StoredUnsavedEdits = { key: string; quiz_id: string; edits: UnsavedEdits }

/** Returns the function that keeps the edits of one session; `session_id` distinguishes tabs. */
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

/** The edits kept for a quiz (for all of them, without an id), oldest first; expired ones are removed. */
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

export const deleteUnsavedEdits = (key: string): void => localStorage.removeItem(key)

const readEntry = (key: string): { edits: UnsavedEdits; kept_at: number } | undefined => {
  const text = localStorage.getItem(key)
  try {
    const { kept_at, edits, before, sent = [], revision }: Entry = JSON.parse(text ?? '')
    const isUsable = Date.now() - kept_at < LONGEST_MS && [...sent, { edits, before }].every(isStep)
    return isUsable
      ? { edits: { edits, before, sent, ...(revision !== undefined && { revision }) }, kept_at }
      : undefined
  } catch {
    // The entry is not ours or was cut off.
    return undefined
  }
}

const isStep = (step: unknown): boolean => {
  const { edits, before } = Object(step)
  return isChanges(edits) && isChanges(before)
}

/** Whether a value has each field that changes always have. */
const isChanges = (value: unknown): boolean =>
  Object.entries(NO_CHANGES).every(([name, none]) => {
    const found: unknown = Object(value)[name]
    return Array.isArray(none) ? Array.isArray(found) : Object(found) === found
  })
