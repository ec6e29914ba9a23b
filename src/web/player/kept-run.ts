import type { Replies } from '#domain/quiz.ts'
import type { BrowserStore } from './browser-store.ts'
import type { Submission } from './player-api.ts'
import type { Run } from './run.ts'

/** A run as its tab keeps it: over a reload, a crash, and after its end. */
export type KeptRun = Run & {
  quiz_id: string
  /** The version that was taken. */
  version: number
  participant_uuid: string
  /** What the run ended with, until the server has acknowledged it. */
  submission?: Submission | undefined
}

/** A tab has one run: another quiz, or the same once more, takes the place of the last. */
const KEY = 'quizaine:run'

/** The run of this tab on this quiz; that of another quiz ends here. */
export const findKeptRun = (tab: BrowserStore, quiz_id: string): KeptRun | undefined => {
  const kept = tab.read(KEY)
  if (isKeptRun(kept) && kept.quiz_id === quiz_id) return kept
  forgetRun(tab)
  return undefined
}

/** Keeps the run of this tab, in the place of what it had. */
export const keepRun = (tab: BrowserStore, run: KeptRun): void => tab.write(KEY, run)

/** Forgets the run of this tab. */
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
