import type { FastifyBaseLogger } from 'fastify'
import { insertAuditEvents } from '#server/audit/audit-events.store.ts'
import { newAuditRow } from '#server/audit/events.ts'
import type { Database } from '#server/db/database.ts'
import { tellOfBlocked } from './blocked-mail.ts'
import { scheduleReconciling } from './housekeeping.ts'
import type { Tools } from './send-delivery.ts'
import { createWorker } from './worker.ts'

export type Outbox = {
  /** Called after something was written into it. */
  wake: () => void
  close: () => Promise<void>
}

/**
 * Delivers the outbox in this process until it is closed: PostgreSQL notifies it of new participants, it
 * polls every second anyway, and checks every hour that nothing is missing.
 */
export const runOutbox = (
  { db, pool, notices }: Pick<Database, 'db' | 'pool' | 'notices'>,
  { tools, log }: { tools: Tools; log: FastifyBaseLogger },
): Outbox => {
  const worker = createWorker({
    db,
    tools,
    log,
    onBlocked: async (blocked) => {
      await insertAuditEvents(pool, [
        newAuditRow('integration_refused', {
          actor_id: blocked.user_id,
          outcome: 'refused',
          detail: blocked.provider,
        }),
      ])
      await tellOfBlocked(db, blocked)
    },
  })
  const { wake } = worker
  const listening = notices.listen('responses', { onChange: wake, onGap: wake })
  const stopReconciling = scheduleReconciling(db, log, wake)
  wake()
  return {
    wake,
    close: async () => {
      await Promise.all([stopReconciling(), listening.close(), worker.close()])
    },
  }
}
