import type { FastifyBaseLogger } from 'fastify'
import { forgetAuditEvents } from '#server/audit/audit-events.store.ts'
import type { Db } from '#server/db/database.ts'
import { forgetFormerSlugs } from '#server/quizzes/slugs.store.ts'
import { every } from '#server/runtime/every.ts'
import { forgetOldTests } from '#server/taking/test-responses.store.ts'
import {
  announceRemovals,
  forgetKept,
  forgetVisits,
  listDue,
  removeDue,
} from './retention.store.ts'

const LARGEST_BATCH = 500
const HOUR_MS = 3_600_000

/**
 * Deletes the announced participants that are due, in batches, then announces those that have become too old.
 * After the signal no further batch begins; the next hour continues. Gives how many were removed.
 */
export const applyRetention = async (db: Db, signal?: AbortSignal): Promise<number> => {
  let removed = 0
  for (;;) {
    if (signal?.aborted) return removed
    const due = await listDue(db, LARGEST_BATCH)
    if (due.length === 0) break
    removed += await removeDue(db, due)
  }
  await forgetVisits(db)
  await forgetOldTests(db)
  await forgetKept(db)
  await announceRemovals(db)
  await forgetAuditEvents(db)
  await forgetFormerSlugs(db)
  return removed
}

/**
 * Applies it every hour, so that a day's removals happen in their night whenever the server was started;
 * the same work of two servers at once is done once. Gives how to stop, which waits for the batch under way.
 */
export const scheduleRetention = (
  db: Db,
  log: FastifyBaseLogger,
  onRemoved: (removed: number) => void,
): (() => Promise<void>) => {
  const run = async (signal: AbortSignal): Promise<void> => {
    const removed = await applyRetention(db, signal)
    if (removed > 0) onRemoved(removed)
  }
  return every(HOUR_MS, run, {
    onFailure: (error) => log.error({ err: error }, 'retention was not applied'),
  })
}
