import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import {
  countParticipants,
  deleteExpired,
  deleteQuiz,
  type ExpiredQuiz,
  expireTrash,
  holdDeliveries,
  listExpired,
  restoreQuiz,
  trashQuiz,
} from './trash.store.ts'

/** Number of participants above which a change exceeds the statement timeout of the pool. */
const MANY_PARTICIPANTS = 10_000
/** Maximum number of expired quizzes that one run deletes. */
const MAX_EXPIRED_PER_RUN = 10_000
const HOUR_MS = 3_600_000

type OwnedQuiz = { quiz_id: string; creator_id: string }

/** Dependencies of the trash. */
export type TrashDependencies = {
  db: Db
  /** Connection pool of the same database with a long statement timeout. */
  patient_db: Db
  heavyWork: Pick<HeavyWork, 'run'>
  log: Pick<FastifyBaseLogger, 'error'>
  /** Called after a quiz was deleted because its thirty days in the trash are over. */
  onExpired: (quiz_id: string) => Promise<void>
}

/** Trash of quizzes (docs/decisions/081). Changes of large quizzes take turns as heavy work. */
export type Trash = {
  /** Puts a quiz in the trash. */
  put: (owned: OwnedQuiz, signal: AbortSignal) => Promise<void>
  /** Restores a quiz; returns false if it was not in the trash. */
  restore: (owned: OwnedQuiz, signal: AbortSignal) => Promise<boolean>
  /** Deletes a quiz with all its data, inside or outside the trash. */
  deleteForEver: (owned: OwnedQuiz, signal: AbortSignal) => Promise<void>
  /** Hides the whole trash of a creator at once, begins to delete its quizzes and returns their number. */
  empty: (creator_id: string) => Promise<number>
  /** Deletes quizzes whose thirty days are over, after the run in progress. */
  deleteExpired: () => Promise<void>
  /** Stops the schedule after the deletion in progress. */
  close: () => Promise<void>
}

/** Creates the trash, which deletes expired quizzes every hour. */
export const createTrash = ({
  db,
  patient_db,
  heavyWork,
  log,
  onExpired,
}: TrashDependencies): Trash => {
  const runInTurn = async <T>(
    { creator_id, size, signal }: { creator_id: string; size: number; signal?: AbortSignal },
    change: (db: Db) => Promise<T>,
  ): Promise<T> => {
    if (size <= MANY_PARTICIPANTS) return change(db)
    const job = { kind: 'removal', owner: creator_id, size, signal } as const
    return heavyWork.run(job, () => change(patient_db))
  }
  const changeQuiz =
    <T>(change: (db: Db, owned: OwnedQuiz) => Promise<T>) =>
    async (owned: OwnedQuiz, signal: AbortSignal): Promise<T> => {
      const size = await countParticipants(db, owned)
      return runInTurn({ ...owned, size, signal }, (db) => change(db, owned))
    }

  const stopping = new AbortController()
  const deleteOne = async ({ quiz_id, creator_id, nb_responses }: ExpiredQuiz): Promise<void> => {
    const work = { creator_id, size: nb_responses, signal: stopping.signal }
    if (await runInTurn(work, (db) => deleteExpired(db, quiz_id))) await onExpired(quiz_id)
  }
  const deleteAllExpired = async (): Promise<void> => {
    for (const quiz of await listExpired(db, MAX_EXPIRED_PER_RUN)) {
      if (stopping.signal.aborted) return
      // A failure must not keep the other quizzes from being deleted.
      await deleteOne(quiz).catch((error: unknown) =>
        log.error({ err: error, quiz_id: quiz.quiz_id }, 'a quiz of the trash was not deleted'),
      )
    }
  }
  let running: Promise<void> = Promise.resolve()
  const deleteAfterCurrentRun = (): Promise<void> => {
    running = running
      .then(deleteAllExpired)
      .catch((error: unknown) => log.error({ err: error }, 'the trash was not emptied'))
    return running
  }
  const stopSchedule = runEvery(
    HOUR_MS,
    async () => {
      await deleteAfterCurrentRun()
      await holdDeliveries(patient_db)
    },
    { onFailure: (error) => log.error({ err: error }, 'deliveries of the trash were not held') },
  )

  return {
    put: changeQuiz(trashQuiz),
    restore: changeQuiz(restoreQuiz),
    deleteForEver: changeQuiz(deleteQuiz),
    empty: async (creator_id) => {
      const count = await expireTrash(db, creator_id)
      if (count > 0) void deleteAfterCurrentRun()
      return count
    },
    deleteExpired: deleteAfterCurrentRun,
    close: async () => {
      stopping.abort()
      await stopSchedule()
      await running
    },
  }
}
