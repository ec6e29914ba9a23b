import type pg from 'pg'
import { isCollision, isDatabaseSilent, isDatabaseUnavailable } from '#server/db/database-error.ts'
import { unavailable } from '#server/http/edge/errors.ts'
import type { StoreMode, Submission } from './submission-statement.ts'
import {
  type Attempt,
  findExistingParticipant,
  type Outcome,
  type Participant,
  type StoredParticipant,
  storeSubmissions,
} from './submissions.store.ts'

/**
 * Maximum number of submissions in a batch. Compared with 64, throughput under load is a fifth higher, and a
 * commit takes some tens of milliseconds.
 */
const MAX_BATCH_SIZE = 256
/** Minimum size of a batch that is written while another batch is being written. */
const MIN_CONCURRENT_BATCH_SIZE = 64
/** Maximum number of concurrent batches: one is being written while the other commits. */
const MAX_CONCURRENT_BATCHES = 2
/**
 * Maximum number of waiting submissions. Further submissions are refused, because they would wait for seconds
 * and fill the memory.
 */
const MAX_WAITING_SUBMISSIONS = 2_000

/** Queue through which submissions are stored. */
export type Submissions = {
  /** Stores a participant. Settles after the commit, or after a refusal. Throws a 503 if the queue is full. */
  submit: (submission: Submission) => Promise<Outcome>
  /** Returns the stored participant; undefined if there is none. */
  find: (participant: Participant) => Promise<StoredParticipant | undefined>
  /** Returns the number of participants that this process stored. */
  countStored: () => number
  /** Waits until all accepted submissions are stored. */
  close: () => Promise<void>
}

/** Maximum number of quizzes with a limit that keep a queue of their own. */
const MAX_LIMITED_QUEUES = 1_000

type BatchQueue = ReturnType<typeof createBatchQueue>

type PendingSubmission = {
  submission: Submission
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/**
 * Creates the queue that stores submissions by group commit: submissions arriving during a commit form the next
 * batch. Submissions to a locked quiz, or to a quiz with a limit, wait in separate queues. `onStored` is called
 * for each new participant.
 */
export const createSubmissionQueue = (
  pool: pg.Pool,
  onStored: (quiz_id: string) => void = () => undefined,
): Submissions => {
  let unsettled = 0
  let nb_stored = 0

  const write = async (batch: readonly PendingSubmission[], mode: StoreMode): Promise<void> => {
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
    // Listeners run after all visitors have been answered.
    for (const [index, { submission }] of batch.entries()) {
      if (attempts[index]?.kind !== 'stored') continue
      nb_stored++
      onStored(submission.quiz_id)
    }
  }
  const fail = async (
    batch: readonly PendingSubmission[],
    mode: StoreMode,
    error: unknown,
  ): Promise<void> => {
    // Queued submissions fail now instead of after another timeout, because the database does not answer.
    const queues = isDatabaseSilent(error) ? [open, locked, ...limited.values()] : []
    const waiting = queues.flatMap((queue) => queue.takeAll())
    for (const { reject } of waiting) reject(error)
    if (batch.length === 1 || isDatabaseUnavailable(error))
      for (const { reject } of batch) reject(error)
    // Each submission of a failed batch is retried alone, so that one bad row does not fail the others.
    else for (const one of batch) await write([one], mode)
  }
  const open = createBatchQueue((batch) => write(batch, 'skip locked'), MAX_CONCURRENT_BATCHES)
  const locked = createBatchQueue((batch) => write(batch, ''))
  const limited = new Map<string, BatchQueue>()
  /**
   * Queues a submission to a quiz with a limit. Each such quiz has its own queue, because its batches run one
   * after the other.
   */
  const pushLimited = (pending: PendingSubmission): void => {
    const { quiz_id } = pending.submission
    const queue = limited.get(quiz_id) ?? createBatchQueue((batch) => write(batch, 'limited'))
    if (limited.size >= MAX_LIMITED_QUEUES)
      for (const [id, { isEmpty }] of limited) if (isEmpty()) limited.delete(id)
    limited.set(quiz_id, queue)
    queue.push(pending)
  }

  return {
    submit: (submission) => {
      if (unsettled >= MAX_WAITING_SUBMISSIONS) return Promise.reject(unavailable())
      unsettled++
      return new Promise((resolve, reject) => {
        const waiting: PendingSubmission = {
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
    find: (participant) => findExistingParticipant(pool, participant),
    countStored: () => nb_stored,
    close: async () => {
      await open.emptied()
      await locked.emptied()
      await Promise.all([...limited.values()].map((queue) => queue.emptied()))
    },
  }
}

/**
 * Creates a queue that writes its entries in batches. The first entry is written at once. A further concurrent
 * batch starts only when it is large, because small batches cost more per entry.
 */
const createBatchQueue = (
  write: (batch: readonly PendingSubmission[]) => Promise<void>,
  max_concurrent = 1,
) => {
  const queue: PendingSubmission[] = []
  const writing = new Set<Promise<void>>()
  const isDue = (): boolean =>
    queue.length > 0 &&
    (writing.size === 0 ||
      (writing.size < max_concurrent && queue.length >= MIN_CONCURRENT_BATCH_SIZE))
  const writeNext = (): void => {
    if (!isDue()) return
    const written = write(queue.splice(0, MAX_BATCH_SIZE)).finally(() => {
      writing.delete(written)
      writeNext()
    })
    writing.add(written)
  }
  return {
    push: (pending: PendingSubmission): void => {
      queue.push(pending)
      writeNext()
    },
    /** Removes and returns the entries that are not being written yet. */
    takeAll: (): PendingSubmission[] => queue.splice(0),
    isEmpty: (): boolean => queue.length === 0 && writing.size === 0,
    emptied: async (): Promise<void> => {
      while (writing.size > 0) await Promise.all(writing)
    },
  }
}

const MAX_TRIES = 3

/** Stores a batch and retries after a deadlock with another process. */
const storeWithRetries = async (
  pool: pg.Pool,
  batch: readonly Submission[],
  mode: StoreMode,
  tries = MAX_TRIES,
): ReturnType<typeof storeSubmissions> => {
  try {
    return await storeSubmissions(pool, batch, mode)
  } catch (error) {
    if (tries > 1 && isCollision(error)) return storeWithRetries(pool, batch, mode, tries - 1)
    throw error
  }
}
