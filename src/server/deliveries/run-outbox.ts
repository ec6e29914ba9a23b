import type { FastifyBaseLogger } from 'fastify'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import { insertAuditEvents } from '#server/audit/audit-events.store.ts'
import { newAuditRow } from '#server/audit/events.ts'
import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import type { Database } from '#server/db/database.ts'
import { listenForChanges } from '#server/taking/change-notices.ts'
import { scheduleReconciling } from './housekeeping.ts'
import type { Tools } from './send-delivery.ts'
import type { Blocked } from './settle.store.ts'
import { createWorker } from './worker.ts'

export type Outbox = {
  /** Something has just been written into it. */
  wake: () => void
  close: () => Promise<void>
}

/**
 * Delivers the outbox in this process until it is closed: hears of new participants by PostgreSQL's
 * notices, looks every second anyway, and proves every hour that nothing is missing.
 */
export const runOutbox = (
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  { tools, log }: { tools: Tools; log: FastifyBaseLogger },
): Outbox => {
  /** One mail an incident, to those whose address we know. */
  const onBlocked = async ({ user_id, provider, nb_waiting }: Blocked): Promise<void> => {
    await insertAuditEvents(pool, [
      newAuditRow('integration_refused', {
        actor_id: user_id,
        outcome: 'refused',
        detail: provider,
      }),
    ])
    const user = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', user_id)
      .executeTakeFirst()
    if (!user?.email) return
    const details = { tool: PROVIDER_LABELS[provider], nb_waiting: Number(nb_waiting) }
    await enqueueMail(db, { kind: 'connection_blocked', email: user.email, user_id, details })
  }
  const worker = createWorker({ db, tools, log, onBlocked })
  const { wake } = worker
  const notices = listenForChanges(pool, { channel: 'responses', onChange: wake, onGap: wake, log })
  const stopReconciling = scheduleReconciling(db, log, wake)
  wake()
  return {
    wake,
    close: async () => {
      stopReconciling()
      await Promise.all([notices.close(), worker.close()])
    },
  }
}
