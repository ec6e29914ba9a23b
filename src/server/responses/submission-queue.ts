import type pg from 'pg'
import type { StoredReplies } from '#domain/run/stored-replies.ts'
import { isCollision, isDatabaseAway, isDatabaseSilent } from '#server/db/database-error.ts'
import { unavailable } from '#server/http/edge/errors.ts'
import type { StoreMode, Submission } from './submission-statement.ts'
import {
  type Attempt,
  type ExistingParticipant,
  findExistingParticipant,
  type Outcome,
  type Participant,
  storeSubmissions,
} from './submissions.store.ts'

/** A fifth more throughput under load than 64; its commit takes some hundredths of a second. */
const LARGEST_BATCH = 256
/** Beside a batch under way, a second one begins from this size on. */
const WORTH_ANOTHER = 64
/** One batch is written while another is made durable. */
const MOST_UNDER_WAY = 2
/** Beyond this the wait would be seconds: refusing keeps memory and latency bounded. */
const MOST_UNSETTLED = 2_000

export type Submissions = {
  /** Stores a participant; settles once it is durable or refused. 503 when the queue is full. */
  submit: (submission: Submission) => Promise<Outcome>
  /** What is stored of a participant; undefined when nothing is. */
  find: (who: Participant) => Promise<(ExistingParticipant & StoredReplies) | undefined>
  /** Waits for what was accepted. */
  close: () => Promise<void>
}

/** How many quizzes with a limit are remembered, so that their participants are not tried without it first. */
const MOST_LIMITED = 1_000

type BatchQueue = ReturnType<typeof createBatchQueue>

type Waiting = {
  submission: Submission
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: submissions are batched while the previous batch commits, so that many visitors share a
 * commit and a single one is written at once. Submissions to a locked quiz, and to one with a limit, wait in a queue
 * of their own.
 * `onStored` is called for each new participant.
 */
export const createSubmissionQueue = (
  pool: pg.Pool,
  onStored: (quiz_id: string) => void = () => undefined,
): Submissions => {
  let unsettled = 0

  const write = async (batch: readonly Waiting[], mode: StoreMode): Promise<void> => {
    const submissions = batch.map(({ submission }) => submission)
    let attempts: Attempt[]
    try {
      attempts = await storeWithRetries(pool, submissions, mode)
    } catch (error) {
      return fail(batch, mode, error)
    }
    for (const [index, one] of batch.entries()) {
      const attempt = attempts[index] ?? { kind: 'gone' }
      if (attempt.kind === 'locked') locked.push(one)
      else if (attempt.kind === 'limited') pushLimited(one)
      else one.resolve(attempt)
    }
    // After every visitor was answered.
    for (const [index, { submission }] of batch.entries())
      if (attempts[index]?.kind === 'stored') onStored(submission.quiz_id)
  }
  const fail = async (
    batch: readonly Waiting[],
    mode: StoreMode,
    error: unknown,
  ): Promise<void> => {
    // When the database does not answer, queued submissions fail now instead of after another time-out.
    const queues = isDatabaseSilent(error) ? [open, locked, ...limited.values()] : []
    const waiting = queues.flatMap((queue) => queue.takeAll())
    for (const { reject } of waiting) reject(error)
    if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error)
    // One bad row must not fail the others: each is written alone.
    else for (const one of batch) await write([one], mode)
  }
  const open = createBatchQueue((batch) => write(batch, 'skip locked'), MOST_UNDER_WAY)
  const locked = createBatchQueue((batch) => write(batch, ''))
  const limited = new Map<string, BatchQueue>()
  /** A queue each, as the batches of such a quiz wait for each other; known until it is forgotten. */
  const pushLimited = (one: Waiting): void => {
    const { quiz_id } = one.submission
    const queue = limited.get(quiz_id) ?? createBatchQueue((batch) => write(batch, 'limited'))
    if (limited.size >= MOST_LIMITED)
      for (const [id, { isEmpty }] of limited) if (isEmpty()) limited.delete(id)
    limited.set(quiz_id, queue)
    queue.push(one)
  }

  return {
    submit: (submission) => {
      if (unsettled >= MOST_UNSETTLED) return Promise.reject(unavailable())
      unsettled++
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          submission,
          resolve: (outcome) => {
            unsettled--
            resolve(outcome)
          },
          reject: (error) => {
            unsettled--
            reject(error)
          },
        }
        if (limited.has(submission.quiz_id)) pushLimited(waiting)
        else open.push(waiting)
      })
    },
    find: (who) => findExistingParticipant(pool, who),
    close: async () => {
      await open.emptied()
      await locked.emptied()
      await Promise.all([...limited.values()].map((queue) => queue.emptied()))
    },
  }
}

/**
 * A queue that is written in batches. An entry is written at once while no batch is under way; beside one
 * another begins only once it is large, as small batches cost more for each entry.
 */
const createBatchQueue = (write: (batch: readonly Waiting[]) => Promise<void>, most = 1) => {
  const queue: Waiting[] = []
  const writing = new Set<Promise<void>>()
  const isDue = (): boolean =>
    queue.length > 0 &&
    (writing.size === 0 || (writing.size < most && queue.length >= WORTH_ANOTHER))
  const writeNext = (): void => {
    if (!isDue()) return
    const written = write(queue.splice(0, LARGEST_BATCH)).finally(() => {
      writing.delete(written)
      writeNext()
    })
    writing.add(written)
  }
  return {
    push: (one: Waiting): void => {
      queue.push(one)
      writeNext()
    },
    /** Removes and gives the entries that are not being written yet. */
    takeAll: (): Waiting[] => queue.splice(0),
    isEmpty: (): boolean => queue.length === 0 && writing.size === 0,
    emptied: async (): Promise<void> => {
      while (writing.size > 0) await Promise.all(writing)
    },
  }
}

const TRIES = 3

/** Tries again after a deadlock with another process. */
const storeWithRetries = async (
  pool: pg.Pool,
  batch: readonly Submission[],
  mode: StoreMode,
  tries = TRIES,
): ReturnType<typeof storeSubmissions> => {
  try {
    return await storeSubmissions(pool, batch, mode)
  } catch (error) {
    if (tries > 1 && isCollision(error)) return storeWithRetries(pool, batch, mode, tries - 1)
    throw error
  }
}
