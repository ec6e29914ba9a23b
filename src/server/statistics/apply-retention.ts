import type { FastifyBaseLogger } from 'fastify'
import { forgetAuditEvents } from '#server/audit/audit-events.store.ts'
import type { Db } from '#server/db/database.ts'
import { removeResponses } from './removal.store.ts'
import { announceRemovals, forgetKept, forgetVisits, listDue } from './retention.store.ts'

const LARGEST_BATCH = 500
const HOUR_MS = 3_600_000

/** Deletes what was announced and is due, a batch at a time, then announces what has become too old. */
export const applyRetention = async (db: Db): Promise<number> => {
  let removed = 0
  for (;;) {
    const due = await listDue(db, LARGEST_BATCH)
    if (due.length === 0) break
    removed += await removeResponses(db, due)
  }
  await forgetVisits(db)
  await forgetKept(db)
  await announceRemovals(db)
  await forgetAuditEvents(db)
  return removed
}

/**
 * Applies it every hour, so that a day's removals happen in their night whenever the server was started;
 * the same work of two servers at once is done once. Gives how to stop.
 */
export const scheduleRetention = (
  db: Db,
  log: FastifyBaseLogger,
  onRemoved: (removed: number) => void,
): (() => void) => {
  const timer = setInterval(() => {
    applyRetention(db).then(
      (removed) => removed > 0 && onRemoved(removed),
      (error: unknown) => log.error({ err: error }, 'retention was not applied'),
    )
  }, HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
