import type { BrowserStore } from './browser-store.ts'
import { type SendOutcome, type Submission, sendSubmission } from './player-api.ts'

/** A submission that no server has acknowledged yet. */
type PendingSubmission = { quiz_id: string; submission: Submission }

/** Submission in the queue of this page, with state that is not stored on the device. */
type QueueEntry = PendingSubmission & {
  is_sending?: boolean
  timer?: ReturnType<typeof setTimeout>
}

type Dependencies = {
  store: BrowserStore
  /** Called after each attempt to send a submission, of this run or of an earlier one. */
  onOutcome: (participant_uuid: string, sending: SendOutcome) => void
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
  onOutcome,
  send = sendSubmission,
}: Dependencies) => {
  const waiting = new Map<string, QueueEntry>()

  const attempt = async (entry: QueueEntry, delay_ms = FIRST_DELAY_MS): Promise<void> => {
    const { quiz_id, submission } = entry
    const { participant_uuid } = submission
    if (entry.is_sending) return
    clearTimeout(entry.timer)
    entry.is_sending = true
    const sending = await send(quiz_id, submission)
    entry.is_sending = false
    if (sending.outcome === 'later') {
      const next = Math.min(delay_ms * 2, MAX_DELAY_MS)
      const wait_ms = Math.max(delay_ms, (sending.seconds ?? 0) * 1_000)
      entry.timer = setTimeout(attempt, Math.min(wait_ms, MAX_RETRY_AFTER_MS), entry, next)
      // Only this open page knows the answers, so the visitor must know that they are not stored.
      if (!isKept(participant_uuid)) sending.refusal ??= 'unsent'
    } else waiting.delete(participant_uuid)
    onOutcome(participant_uuid, sending)
    // The answers stay on the device until the page has shown the outcome.
    if (sending.outcome !== 'later') store.remove(KEY_START + participant_uuid)
  }

  /** Returns true if this device stores the submission of a participant, so that a later visit can send it. */
  const isKept = (participant_uuid: string): boolean =>
    isPending(store.read(KEY_START + participant_uuid))

  return {
    /** Stores a submission and sends it at once; ignores a second submission of the same participant. */
    enqueue: (quiz_id: string, submission: Submission): void => {
      const { participant_uuid } = submission
      if (waiting.has(participant_uuid)) return
      const entry = { quiz_id, submission }
      waiting.set(participant_uuid, entry)
      store.write(KEY_START + participant_uuid, entry)
      attempt(entry)
    },
    isKept,
    /** Sends every pending submission now, including those of earlier visits. */
    sendAll: (): void => {
      for (const key of store.keys(KEY_START)) {
        const stored = store.read(key)
        if (!isPending(stored)) store.remove(key)
        else if (!waiting.has(stored.submission.participant_uuid))
          waiting.set(stored.submission.participant_uuid, stored)
      }
      for (const entry of waiting.values()) attempt(entry)
    },
  }
}

const isPending = (value: unknown): value is PendingSubmission => {
  const { quiz_id, submission } = Object(value)
  return typeof quiz_id === 'string' && typeof submission?.participant_uuid === 'string'
}
