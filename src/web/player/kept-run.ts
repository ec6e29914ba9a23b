import type { Replies } from '#domain/quiz.ts'
import type { BrowserStore } from './browser-store.ts'
import type { Submission } from './player-api.ts'
import type { Run } from './run.ts'

/** A run as stored in its tab, over a reload, a crash, and after its end. */
export type KeptRun = Run & {
  quiz_id: string
  /** The version that was taken. */
  version: number
  participant_uuid: string
  /** The submission of the run until the server has acknowledged it. */
  submission?: Submission | undefined
}

/**
 * The run that a tab keeps on a quiz. A tab has one run: another quiz, or the same once more, takes the place
 * of the last. Frames share the tab's store with all of its page, so each of their quizzes has its own entry.
 */
export const createKeptRun = (tab: BrowserStore, quiz_id: string, is_framed: boolean) => {
  const key = is_framed ? `quizaine:run:${quiz_id}` : 'quizaine:run'
  const forget = (): void => tab.remove(key)
  return {
    /** The run of this quiz; that of another quiz ends here. */
    find: (): KeptRun | undefined => {
      const kept = tab.read(key)
      if (isKeptRun(kept) && kept.quiz_id === quiz_id) return kept
      forget()
      return undefined
    },
    /** Keeps a run, in the place of what there was. */
    keep: (run: KeptRun): void => tab.write(key, run),
    forget,
  }
}

const isKeptRun = (value: unknown): value is KeptRun => {
  const { quiz_id, participant_uuid, page_index, replies } = Object(value)
  return (
    typeof quiz_id === 'string' &&
    typeof participant_uuid === 'string' &&
    Number.isInteger(page_index) &&
    isReplies(replies)
  )
}

const isReplies = (value: unknown): value is Replies =>
  Object.values(value ?? [value]).every((reply) => typeof reply === 'string')
