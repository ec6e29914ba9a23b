import type { Replies } from '#domain/quiz.ts'
import type { LocalStore } from './local-store.ts'
import type { Run } from './run.ts'

/** A run as it outlives a reload. */
export type KeptRun = Pick<Run, 'page_index' | 'replies' | 'is_finished'> & {
  participant_uuid: string
  /** When it was last changed, in ms. */
  kept_at: number
}

/** One key for each run: tabs that take one quiz at the same time never overwrite each other. */
export const keyOfRun = (quiz_id: string, participant_uuid = ''): string =>
  `quizaine:run:${quiz_id}:${participant_uuid}`

/** The runs that this browser has underway on a quiz, the last changed first. */
export const findKeptRuns = (store: LocalStore, quiz_id: string): KeptRun[] =>
  store
    .keys(keyOfRun(quiz_id))
    .map(store.read)
    .filter(isKeptRun)
    .sort((a, b) => b.kept_at - a.kept_at)

export const keepRun = (store: LocalStore, quiz_id: string, run: KeptRun): void =>
  store.write(keyOfRun(quiz_id, run.participant_uuid), run)

/** Forgets the run of one participant. */
export const forgetRun = (store: LocalStore, quiz_id: string, participant_uuid: string): void =>
  store.remove(keyOfRun(quiz_id, participant_uuid))

const isKeptRun = (value: unknown): value is KeptRun => {
  const { participant_uuid, page_index, replies } = Object(value)
  return typeof participant_uuid === 'string' && Number.isInteger(page_index) && isReplies(replies)
}

const isReplies = (value: unknown): value is Replies =>
  Object.values(value ?? [value]).every((reply) => typeof reply === 'string')
