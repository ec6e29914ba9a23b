import type { BrowserStore } from './browser-store.ts'
import { type Refusal, type SendOutcome, type Submission, sendSubmission } from './player-api.ts'

/** A submission that no server has acknowledged yet. */
type PendingSubmission = { quiz_id: string; submission: Submission }

type Dependencies = {
  store: BrowserStore
  /** Called when the server has accepted a submission, or finally refused it. */
  onSettled: (
    quiz_id: string,
    participant_uuid: string,
    sending: Exclude<SendOutcome, { outcome: 'later' }>,
  ) => void
  /** Called when the server does not accept a submission. A closed quiz may accept it later. */
  onRefused: (participant_uuid: string, refusal: Refusal) => void
  send?: (quiz_id: string, submission: Submission) => Promise<SendOutcome>
}

const KEY_START = 'quizaine:pending:'
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000
/** Longest delay that the server may ask for. */
const MAX_RETRY_AFTER_MS = 600_000

/**
 * Creates the queue of submissions that the server has not acknowledged yet. Each has its own storage key, so that
 * tabs do not overwrite each other, and is retried with a doubling delay. Repeating is harmless, because the server
 * counts a participant_uuid once.
 */
export const createPendingSubmissions = ({
  store,
  onSettled,
  onRefused,
  send = sendSubmission,
}: Dependencies) => {
  const waiting = new Map<string, PendingSubmission>()
  const inProgress = new Set<string>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const attempt = async (pending: PendingSubmission, delay_ms = FIRST_DELAY_MS): Promise<void> => {
    const { participant_uuid } = pending.submission
    if (inProgress.has(participant_uuid)) return
    clearTimeout(timers.get(participant_uuid))
    inProgress.add(participant_uuid)
    const sending = await send(pending.quiz_id, pending.submission)
    inProgress.delete(participant_uuid)
    if (sending.outcome === 'later') tryLater(pending, sending, delay_ms)
    else settle(pending, sending)
    if (sending.outcome !== 'stored' && sending.refusal)
      onRefused(participant_uuid, sending.refusal)
  }

  const tryLater = (
    pending: PendingSubmission,
    { reason, seconds }: Extract<SendOutcome, { outcome: 'later' }>,
    delay_ms: number,
  ): void => {
    console.warn(`Answers kept: ${reason}`)
    const next = Math.min(delay_ms * 2, MAX_DELAY_MS)
    const wait = Math.min(Math.max(delay_ms, seconds * 1_000), MAX_RETRY_AFTER_MS)
    const timer = setTimeout(() => attempt(pending, next), wait)
    timers.set(pending.submission.participant_uuid, timer)
  }

  const settle = (
    { quiz_id, submission }: PendingSubmission,
    sending: Exclude<SendOutcome, { outcome: 'later' }>,
  ): void => {
    if (sending.outcome === 'refused') console.error(`Answers refused: ${sending.reason}`)
    waiting.delete(submission.participant_uuid)
    onSettled(quiz_id, submission.participant_uuid, sending)
    store.remove(KEY_START + submission.participant_uuid)
  }

  return {
    /** Stores a submission and sends it at once; ignores a second submission of the same participant. */
    submit: (quiz_id: string, submission: Submission): void => {
      if (waiting.has(submission.participant_uuid)) return
      const pending = { quiz_id, submission }
      waiting.set(submission.participant_uuid, pending)
      store.write(KEY_START + submission.participant_uuid, pending)
      attempt(pending)
    },
    /** Returns true if this device stores the submission of a participant, so that a later visit can send it. */
    isKept: (participant_uuid: string): boolean =>
      isPending(store.read(KEY_START + participant_uuid)),
    /** Sends every pending submission now, including those of earlier visits. */
    sendAll: (): void => {
      for (const key of store.keys(KEY_START)) {
        const pending = store.read(key)
        if (isPending(pending)) waiting.set(pending.submission.participant_uuid, pending)
        else store.remove(key)
      }
      for (const pending of waiting.values()) attempt(pending)
    },
  }
}

const isPending = (value: unknown): value is PendingSubmission => {
  const { quiz_id, submission } = Object(value)
  return typeof quiz_id === 'string' && typeof submission?.participant_uuid === 'string'
}
