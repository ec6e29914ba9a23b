import type { Replies } from '#domain/quiz.ts'
import type { BrowserStore } from './browser-store.ts'
import type { Refusal, Submission } from './player-api.ts'
import type { Run } from './run.ts'

/** A run as stored in its tab, over a reload, a crash, and after its end. */
export type KeptRun = Run & {
  quiz_id: string
  /** The version that was taken. */
  version: number
  participant_uuid: string
  /** The submission of the run until the server has acknowledged it. */
  submission?: Submission | undefined
  /** Shown below the result, after a reload too. */
  refusal?: Refusal | undefined
}

/**
 * The stored run of a tab on a quiz. A tab has one run: a run on another quiz, or another on the same, replaces
 * it. The frames of a page share the storage of the tab, so there each quiz has its own key.
 */
export const createKeptRun = (tab: BrowserStore, quiz_id: string, is_framed: boolean) => {
  const key = is_framed ? `quizaine:run:${quiz_id}` : 'quizaine:run'
  const forget = (): void => tab.remove(key)
  return {
    /** The run on this quiz; a run on another quiz is removed. */
    find: (): KeptRun | undefined => {
      const kept = tab.read(key)
      if (isKeptRun(kept) && kept.quiz_id === quiz_id) return kept
      forget()
      return undefined
    },
    /** Stores a run in place of the last. */
    keep: (run: KeptRun): void => tab.write(key, run),
    forget,
  }
}

const isKeptRun = (value: unknown): value is KeptRun => {
  const { participant_uuid, page_index, replies } = Object(value)
  return typeof participant_uuid === 'string' && Number.isInteger(page_index) && isReplies(replies)
}

const isReplies = (value: unknown): value is Replies =>
  Object.values(value ?? [value])
    .flat()
    .every((part) => typeof part === 'string')
