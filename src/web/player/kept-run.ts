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

/** A tab has one run: a run on another quiz, or another on the same, replaces it. */
const KEY = 'quizaine:run'

/** The run of this tab on this quiz; a run on another quiz is removed. */
export const findKeptRun = (tab: BrowserStore, quiz_id: string): KeptRun | undefined => {
  const kept = tab.read(KEY)
  if (isKeptRun(kept) && kept.quiz_id === quiz_id) return kept
  forgetRun(tab)
  return undefined
}

/** Stores the run of this tab in place of the last. */
export const keepRun = (tab: BrowserStore, run: KeptRun): void => tab.write(KEY, run)

/** Removes the run of this tab. */
export const forgetRun = (tab: BrowserStore): void => tab.remove(KEY)

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
