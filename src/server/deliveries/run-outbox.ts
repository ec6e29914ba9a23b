import type { FastifyBaseLogger } from 'fastify'
import { insertAuditEvents } from '#server/audit/audit-events.store.ts'
import { newAuditRow } from '#server/audit/events.ts'
import type { Database, Db } from '#server/db/database.ts'
import { forgetErasures } from '#server/erasures/forget.store.ts'
import { forgetDigests, queueDigests } from '#server/quiz-mails/digests.store.ts'
import { forgetTallies } from '#server/quiz-mails/mail-limits.store.ts'
import { every } from '#server/runtime/every.ts'
import { forgetEnded, refuseForEnded } from '#server/webhooks/ended-connections.store.ts'
import { tellOfBlocked } from './blocked-mail.ts'
import { reconcile } from './reconcile.store.ts'
import type { Send } from './send.ts'
import type { Erase } from './send-erasure.ts'
import { forgetAttempts } from './settle.store.ts'
import { createWorker } from './worker.ts'

export type Outbox = {
  /** Called after something was written into it. */
  wake: () => void
  close: () => Promise<void>
}

const HOUR_MS = 3_600_000
/** A mail of a day leaves this long after its hour at the latest. */
const DIGESTS_EVERY_MS = 300_000

/**
 * Deletes what is promised to be forgotten, first of all; then checks that no delivery is missing and settles those that
 * nothing sends any more. A step that fails is logged, and keeps none of the others from being done.
 */
export const reconcileOutbox = async (
  db: Db,
  { log, onFound }: { log: Pick<FastifyBaseLogger, 'error'>; onFound: () => void },
): Promise<void> => {
  const now = new Date()
  const findMissing = async (): Promise<void> => {
    const missing = await reconcile(db)
    if (missing === 0) return
    log.error({ missing }, 'deliveries were missing and have been written')
    onFound()
  }
  const steps = [
    () => forgetErasures(db, now),
    findMissing,
    () => refuseForEnded(db),
    () => forgetEnded(db),
    () => forgetAttempts(db, now),
    () => forgetTallies(db, now),
    () => forgetDigests(db, now),
  ]
  for (const step of steps)
    await step().catch((error: unknown) =>
      log.error({ err: error }, 'a step of reconciling the outbox failed'),
    )
}

/**
 * Delivers the outbox in this process until it is closed: PostgreSQL notifies it of new participants, it
 * polls every second anyway, and checks every hour that nothing is missing.
 */
export const runOutbox = (
  { db, pool, notices }: Pick<Database, 'db' | 'pool' | 'notices'>,
  { send, erase, log }: { send: Send; erase: Erase; log: FastifyBaseLogger },
): Outbox => {
  const worker = createWorker({
    db,
    send,
    erase,
    log,
    tell: tellOfBlocked,
    onBlocked: async (blocked) => {
      await insertAuditEvents(pool, [
        newAuditRow('integration_refused', {
          actor_id: blocked.user_id,
          outcome: 'refused',
          detail: blocked.provider,
        }),
      ])
    },
  })
  const { wake } = worker
  const listening = notices.listen('responses', { onChange: wake, onGap: wake })
  const stopReconciling = every(HOUR_MS, () => reconcileOutbox(db, { log, onFound: wake }))
  const stopDigests = every(DIGESTS_EVERY_MS, () => queueDigests(db, new Date()), {
    onFailure: (error) => log.error({ err: error }, 'the mails of the day were not queued'),
  })
  wake()
  return {
    wake,
    close: async () => {
      await Promise.all([stopReconciling(), stopDigests(), listening.close(), worker.close()])
    },
  }
}
