import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#server/db/database.ts'
import { every } from '#server/runtime/every.ts'
import { deleteUnused, noteUsed } from './images.store.ts'

const LARGEST_BATCH = 500
const HOUR_MS = 3_600_000

/**
 * Deletes, batch by batch, the pictures that no draft and no version has shown for 30 days. After the signal no
 * further batch begins; the next hour continues. Gives how many went.
 */
export const forgetUnused = async (
  db: Db,
  signal?: AbortSignal,
  batch = LARGEST_BATCH,
): Promise<number> => {
  const repeat = async (work: (db: Db, most: number) => Promise<number>): Promise<number> => {
    let done = 0
    while (!signal?.aborted) {
      const some = await work(db, batch)
      done += some
      if (some < batch) break
    }
    return done
  }
  await repeat(noteUsed)
  return repeat(deleteUnused)
}

/** Does so every hour; two servers at once do it once. Gives how to stop, which waits for the batch under way. */
export const scheduleForgetting = (db: Db, log: FastifyBaseLogger): (() => Promise<void>) =>
  every(HOUR_MS, (signal) => forgetUnused(db, signal), {
    onFailure: (error) => log.error({ err: error }, 'unused pictures were not deleted'),
  })
