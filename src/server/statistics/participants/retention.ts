import type { FastifyBaseLogger } from 'fastify'
import type { api } from '#contract/api.ts'
import { forgetAuditEvents } from '#server/audit/audit-events.store.ts'
import type { Db } from '#server/db/database.ts'
import type { Handlers } from '#server/http/edge/mount.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { deleteExpiredSlugs } from '#server/quizzes/slugs.store.ts'
import { deleteOldTrialResponses } from '#server/responses/trial-responses.store.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import { deleteOldInvitations } from './person-invitations.store.ts'
import {
  announceRemovals,
  applyDueRemovals,
  deleteLiftedAnnouncements,
  deleteOldVisits,
  listDueRemovals,
  readRetention,
  writeRetention,
} from './retention.store.ts'

/** Handlers of contract/participants.ts. */
export const retentionHandlers = ({ db }: { db: Db }): Handlers<typeof api.retention> => ({
  get: async ({ id: quiz_id }, { id: creator_id }) => {
    await loadQuiz(db, { quiz_id, creator_id })
    return readRetention(db, quiz_id)
  },

  set: ({ id: quiz_id, body: { months } }, { id: creator_id }) =>
    db.transaction().execute(async (save) => {
      await loadQuiz(save, { quiz_id, creator_id }, 'lock')
      await writeRetention(save, quiz_id, months)
      await announceRemovals(save, quiz_id)
      return readRetention(save, quiz_id)
    }),
})

/** Maximum number of participants in a batch. */
const MAX_BATCH_SIZE = 500
const HOUR_MS = 3_600_000

/**
 * Removes due participants in batches, announces further removals and deletes other expired data. Returns the
 * number of removed participants. No further batch begins after the signal is aborted.
 */
export const applyRetention = async (db: Db, signal?: AbortSignal): Promise<number> => {
  let removed = 0
  for (;;) {
    if (signal?.aborted) return removed
    const due = await listDueRemovals(db, MAX_BATCH_SIZE)
    if (due.length === 0) break
    removed += await applyDueRemovals(db, due)
  }
  await deleteOldVisits(db)
  await deleteOldInvitations(db)
  await deleteOldTrialResponses(db)
  await deleteLiftedAnnouncements(db)
  await announceRemovals(db)
  await forgetAuditEvents(db)
  await deleteExpiredSlugs(db)
  return removed
}

/**
 * Runs `applyRetention` every hour, so that removals missed while the server was down follow soon. Concurrent servers
 * do not repeat work. Returns a function that stops the schedule after the current batch.
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
  return runEvery(HOUR_MS, run, {
    onFailure: (error) => log.error({ err: error }, 'retention could not be applied'),
  })
}
