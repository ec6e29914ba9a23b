import type pg from 'pg'
import { isCollision, isDatabaseAway, isDatabaseSilent } from '#server/db/database-error.ts'
import { unavailable } from '#server/http/errors.ts'
import type { Patience, Submission } from './submission-batch.ts'
import {
  type Attempt,
  findKnown,
  type Known,
  type Outcome,
  type Participant,
  storeSubmissions,
} from './submissions.store.ts'

/** Under a flood a fifth more than batches of 64; the one that commits lasts some hundredths of a second. */
const LARGEST_BATCH = 256
/** Beside a batch under way another one is worth its cost from so many on. */
const WORTH_ANOTHER = 64
/** One is written while another one is being made durable. */
const MOST_UNDER_WAY = 2
/** Beyond this the wait would be seconds: refusing at once keeps memory and answers bounded. */
const MOST_UNSETTLED = 2_000

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
 * commit and a lone one waits for nobody. Those whose quiz somebody holds wait apart from the others.
 * `onStored` hears of each new participant.
 */
export const createSubmissions = (
  pool: pg.Pool,
  onStored: (quiz_id: string) => void = () => undefined,
): Submissions => {
  let unsettled = 0

  const write = async (batch: readonly Waiting[], patience: Patience): Promise<void> => {
    const submissions = batch.map(({ submission }) => submission)
    let attempts: Attempt[]
    try {
      attempts = await storeWithRetries(pool, submissions, patience)
    } catch (error) {
      return fail(batch, patience, error)
    }
    for (const [index, one] of batch.entries()) {
      const attempt = attempts[index] ?? { kind: 'gone' }
      if (attempt.kind === 'held') held.push(one)
      else one.resolve(attempt)
    }
    // Once everybody is told.
    for (const [index, { submission }] of batch.entries())
      if (attempts[index]?.kind === 'stored') onStored(submission.quiz_id)
  }
  const fail = async (
    batch: readonly Waiting[],
    patience: Patience,
    error: unknown,
  ): Promise<void> => {
    // Who waits for a database that is silent would be told so as late again: they are told now.
    const waiting = isDatabaseSilent(error) ? [...open.takeAll(), ...held.takeAll()] : []
    for (const { reject } of waiting) reject(error)
    if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error)
    // One bad row must not fail its neighbours: each for itself.
    else for (const one of batch) await write([one], patience)
  }
  const open = createLane((batch) => write(batch, 'skip locked'), MOST_UNDER_WAY)
  const held = createLane((batch) => write(batch, ''))

  return {
    submit: (submission) => {
      if (unsettled >= MOST_UNSETTLED) return Promise.reject(unavailable())
      unsettled++
      return new Promise((resolve, reject) => {
        open.push({
          submission,
          resolve: (outcome) => {
            unsettled--
            resolve(outcome)
          },
          reject: (error) => {
            unsettled--
            reject(error)
          },
        })
      })
    },
    find: (who) => findKnown(pool, who),
    close: async () => {
      await open.emptied()
      await held.emptied()
    },
  }
}

/**
 * A queue whose entries are written in batches. Whoever comes while nothing is written waits for nobody;
 * beside a batch under way another one begins only once it is large, as small ones cost more each.
 */
const createLane = (write: (batch: readonly Waiting[]) => Promise<void>, most = 1) => {
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
    /** Takes out those that nobody has begun to write. */
    takeAll: (): Waiting[] => queue.splice(0),
    emptied: async (): Promise<void> => {
      while (writing.size > 0) await Promise.all(writing)
    },
  }
}

const TRIES = 3

/** Two processes may have met in a deadlock: the one that was refused tries again. */
const storeWithRetries = async (
  pool: pg.Pool,
  batch: readonly Submission[],
  patience: Patience,
  tries = TRIES,
): ReturnType<typeof storeSubmissions> => {
  try {
    return await storeSubmissions(pool, batch, patience)
  } catch (error) {
    if (tries > 1 && isCollision(error)) return storeWithRetries(pool, batch, patience, tries - 1)
    throw error
  }
}
