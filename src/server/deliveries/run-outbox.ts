import type { FastifyBaseLogger } from 'fastify'
import { isTool } from '#domain/common/vocabulary.ts'
import { webhookAttention } from '#domain/deliveries/delivery-labels.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { insertAuditEvents } from '#server/audit/audit-events.store.ts'
import { newAuditRow } from '#server/audit/audit-log.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import type { Campaigns } from '#server/campaigns/create-campaigns.ts'
import { settleDueConfirmations } from '#server/confirmations/due-confirmations.store.ts'
import type { Database, Db } from '#server/db/database.ts'
import { expireErasures } from '#server/erasures/erasures.store.ts'
import type { Tracing } from '#server/http/observability/tracing.ts'
import { describeAccountProblem } from '#server/integrations/connection-errors.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import { deleteOldDigests, queueDigests } from '#server/quiz-mails/digests.store.ts'
import { deleteOldMailCounts } from '#server/quiz-mails/mail-limits.store.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import {
  deleteEndedConnections,
  refuseDeliveriesOfEndedConnections,
} from '#server/webhooks/ended-connections.store.ts'
import { reconcile } from './reconcile.store.ts'
import type { Send } from './send.ts'
import type { SendErasure } from './send-erasure.ts'
import { type BlockedConnection, deleteOldAttempts } from './settlements.store.ts'
import { createWorker } from './worker.ts'

/** Queues the mail about a blocked connection and its repair, if the account of the creator has an address. */
const queueBlockedMail = async (
  db: Db,
  { user_id, provider, code, nb_waiting, quiz_id, quiz_type, url }: BlockedConnection,
): Promise<void> => {
  const email = await findAccountEmail(db, user_id)
  if (email === null) return
  const waiting = { nb_waiting: Number(nb_waiting) }
  if (isTool(provider)) {
    const to_do = describeAccountProblem(provider, { code })
    const details = { tool: PROVIDER_LABELS[provider], to_do, ...waiting }
    return enqueueMail(db, { kind: 'connection_blocked', email, user_id, details })
  }
  // Quiz mails have no account that could be refused.
  if (quiz_id === null || quiz_type === null || url === null) return
  const quiz = { quiz_id, quiz_type }
  const details = { tool: new URL(url).host, to_do: webhookAttention(code), ...quiz, ...waiting }
  return enqueueMail(db, { kind: 'webhook_blocked', email, user_id, details })
}

/** Running delivery worker of this process. */
export type Outbox = {
  /** Makes the worker search for due deliveries after rows were inserted. */
  wake: () => void
  close: () => Promise<void>
}

const HOUR_MS = 3_600_000
/** Interval between two checks for due daily mails. */
const DIGESTS_EVERY_MS = 300_000
/** Interval between two searches for campaigns whose end has passed. */
const CAMPAIGN_ENDS_EVERY_MS = 60_000

/**
 * Runs the hourly maintenance: deletes expired data, inserts missing deliveries, settles deliveries of ended
 * connections. Logs a failed step and continues with the next step.
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
    () => expireErasures(db, now),
    findMissing,
    async () => {
      if (await settleDueConfirmations(db)) onFound()
    },
    () => refuseDeliveriesOfEndedConnections(db),
    () => deleteEndedConnections(db),
    () => deleteOldAttempts(db, now),
    () => deleteOldMailCounts(db, now),
    () => deleteOldDigests(db, now),
  ]
  for (const step of steps)
    await step().catch((error: unknown) =>
      log.error({ err: error }, 'a step of reconciling the outbox failed'),
    )
}

/**
 * Runs the delivery worker in this process until it is closed. PostgreSQL notifications and polling every second wake
 * the worker. Maintenance runs every hour.
 */
export const runOutbox = (
  { db, pool, notifications }: Pick<Database, 'db' | 'pool' | 'notifications'>,
  {
    send,
    erase,
    campaigns,
    log,
    tracing,
  }: {
    send: Send
    erase: SendErasure
    campaigns: Pick<Campaigns, 'invite' | 'endDue'>
    log: FastifyBaseLogger
    tracing: Tracing | undefined
  },
): Outbox => {
  const { invite, endDue } = campaigns
  const worker = createWorker({
    db,
    send: tracing?.traceAttempts('deliver', send) ?? send,
    erase: tracing?.traceAttempts('erase', erase) ?? erase,
    invite: invite && (tracing?.traceAttempts('invite', invite) ?? invite),
    log,
    notifyCreator: queueBlockedMail,
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
  const listening = notifications.listen('responses', { onChange: wake, onGap: wake })
  const stopReconciling = runEvery(HOUR_MS, () => reconcileOutbox(db, { log, onFound: wake }))
  const stopDigests = runEvery(DIGESTS_EVERY_MS, () => queueDigests(db, new Date()), {
    onFailure: (error) => log.error({ err: error }, 'the mails of the day were not queued'),
  })
  const stopEnding = runEvery(CAMPAIGN_ENDS_EVERY_MS, () => endDue(new Date()), {
    onFailure: (error) => log.error({ err: error }, 'campaigns were not ended'),
  })
  wake()
  return {
    wake,
    close: async () => {
      await Promise.all([
        ...[stopReconciling(), stopDigests(), stopEnding()],
        ...[listening.close(), worker.close()],
      ])
    },
  }
}
