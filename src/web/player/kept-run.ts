import type { Replies } from '#domain/quiz.ts'
import type { LocalStore } from './local-store.ts'
import type { Run } from './run.ts'

/** A run as it outlives a reload. */
export type KeptRun = Pick<Run, 'page_index' | 'replies' | 'is_finished'> & {
  participant_uuid: string
}

const keyOf = (quiz_id: string): string => `quizaine:run:${quiz_id}`

/** The run that this browser has underway on a quiz, if any. */
export const findKeptRun = (store: LocalStore, quiz_id: string): KeptRun | undefined => {
  const kept = store.read(keyOf(quiz_id))
  return isKeptRun(kept) ? kept : undefined
}

export const keepRun = (store: LocalStore, quiz_id: string, run: KeptRun): void =>
  store.write(keyOf(quiz_id), run)

/** Forgets the run of one participant; another one that began meanwhile stays. */
export const forgetRun = (store: LocalStore, quiz_id: string, participant_uuid: string): void => {
  if (findKeptRun(store, quiz_id)?.participant_uuid === participant_uuid)
    store.remove(keyOf(quiz_id))
}

const isKeptRun = (value: unknown): value is KeptRun =>
  typeof value === 'object' &&
  value !== null &&
  'participant_uuid' in value &&
  typeof value.participant_uuid === 'string' &&
  'page_index' in value &&
  Number.isInteger(value.page_index) &&
  'is_finished' in value &&
  typeof value.is_finished === 'boolean' &&
  'replies' in value &&
  isReplies(value.replies)

const isReplies = (value: unknown): value is Replies =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((reply) => typeof reply === 'string')
