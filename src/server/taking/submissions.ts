import type pg from 'pg'
import { isCollision, isDatabaseAway } from '#server/http/database-error.ts'
import { unavailable } from '#server/http/errors.ts'
import {
  findKnown,
  type Known,
  type Outcome,
  type Participant,
  type Submission,
  storeSubmissions,
} from './submissions.store.ts'

/** Measured best: larger batches gain nothing more, and one in flight leaves the database to others. */
const LARGEST_BATCH = 64
/** Beyond this the wait would be seconds: refusing at once keeps memory and answers bounded. */
const LONGEST_QUEUE = 2_000

export type Submissions = {
  /** Stores a participant; settles once it is durable, or was refused. 503 when too many wait. */
  submit: (submission: Submission) => Promise<Outcome>
  /** What is stored of a participant; undefined when nothing is. */
  find: (who: Participant) => Promise<Known | undefined>
  /** Waits for what was accepted. */
  close: () => Promise<void>
}

type Waiting = {
  submission: Submission
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: while one batch is being written the next one gathers, so that many visitors share a
 * commit and a lone one waits for nobody. `onStored` hears of each new participant.
 */
export const createSubmissions = (
  pool: pg.Pool,
  onStored: (quiz_id: string) => void = () => undefined,
): Submissions => {
  const queue: Waiting[] = []
  let writing: Promise<void> | null = null

  const writeAll = async (): Promise<void> => {
    while (queue.length > 0) await write(queue.splice(0, LARGEST_BATCH))
    writing = null
  }
  const write = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await storeWithPatience(
        pool,
        batch.map(({ submission }) => submission),
      )
      for (const [index, { resolve, submission }] of batch.entries()) {
        const outcome = outcomes[index] ?? { kind: 'gone' }
        resolve(outcome)
        if (outcome.kind === 'stored') onStored(submission.quiz_id)
      }
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error)
      // One bad row must not fail its neighbours: each for itself.
      else for (const one of batch) await write([one])
    }
  }

  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        if (queue.length >= LONGEST_QUEUE) return reject(unavailable())
        queue.push({ submission, resolve, reject })
        writing ??= writeAll()
      }),
    find: (who) => findKnown(pool, who),
    close: async () => {
      await writing
    },
  }
}

const TRIES = 3

/** Two processes may have met in a deadlock: the one that was refused tries again. */
const storeWithPatience = async (
  pool: pg.Pool,
  batch: readonly Submission[],
  tries = TRIES,
): Promise<Outcome[]> => {
  try {
    return await storeSubmissions(pool, batch)
  } catch (error) {
    if (tries > 1 && isCollision(error)) return storeWithPatience(pool, batch, tries - 1)
    throw error
  }
}
