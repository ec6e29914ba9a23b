import type { BrowserStore } from './browser-store.ts'
import { type Sending, type Submission, sendSubmission } from './player-api.ts'

/** A submission that no server has acknowledged yet. */
type Pending = { quiz_id: string; submission: Submission }

type Dependencies = {
  store: BrowserStore
  /** Told when the server has a submission, or will never take it. */
  onSettled: (quiz_id: string, participant_uuid: string) => void
  /** Told when the server does not take a submission, which it may do once the quiz is published again. */
  onRefused: (participant_uuid: string) => void
  send?: (quiz_id: string, submission: Submission) => Promise<Sending>
}

const KEY_START = 'quizaine:pending:'
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 60_000
/** However long the server asks for. */
const LONGEST_WAIT_MS = 600_000

/**
 * The submissions still to be acknowledged: kept until they are, one key each so that tabs never
 * overwrite each other, and tried again with a doubling delay. The server counts a participant_uuid
 * once, so trying too often harms nobody.
 */
export const createPendingSubmissions = ({
  store,
  onSettled,
  onRefused,
  send = sendSubmission,
}: Dependencies) => {
  const waiting = new Map<string, Pending>()
  const underway = new Set<string>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const attempt = async (pending: Pending, delay_ms = FIRST_DELAY_MS): Promise<void> => {
    const { participant_uuid } = pending.submission
    if (underway.has(participant_uuid)) return
    clearTimeout(timers.get(participant_uuid))
    underway.add(participant_uuid)
    const sending = await send(pending.quiz_id, pending.submission)
    underway.delete(participant_uuid)
    if (sending.outcome === 'later') tryLater(pending, sending, delay_ms)
    else settle(pending, sending)
    if (sending.outcome === 'refused' || (sending.outcome === 'later' && sending.is_withdrawn))
      onRefused(participant_uuid)
  }

  const tryLater = (
    pending: Pending,
    { reason, seconds }: Extract<Sending, { outcome: 'later' }>,
    delay_ms: number,
  ): void => {
    console.warn(`Answers kept: ${reason}`)
    const next = Math.min(delay_ms * 2, LONGEST_DELAY_MS)
    const wait = Math.min(Math.max(delay_ms, seconds * 1_000), LONGEST_WAIT_MS)
    const timer = setTimeout(() => attempt(pending, next), wait)
    timers.set(pending.submission.participant_uuid, timer)
  }

  const settle = ({ quiz_id, submission }: Pending, sending: Sending): void => {
    if (sending.outcome === 'refused') console.error(`Answers refused: ${sending.reason}`)
    waiting.delete(submission.participant_uuid)
    onSettled(quiz_id, submission.participant_uuid)
    store.remove(KEY_START + submission.participant_uuid)
  }

  return {
    /** Keeps a submission and sends it at once; what a participant gave first stays. */
    submit: (quiz_id: string, submission: Submission): void => {
      if (waiting.has(submission.participant_uuid)) return
      const pending = { quiz_id, submission }
      waiting.set(submission.participant_uuid, pending)
      store.write(KEY_START + submission.participant_uuid, pending)
      attempt(pending)
    },
    /** Sends everything that waits now, what earlier visits left behind included. */
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

const isPending = (value: unknown): value is Pending => {
  const { quiz_id, submission } = Object(value)
  return typeof quiz_id === 'string' && typeof submission?.participant_uuid === 'string'
}
