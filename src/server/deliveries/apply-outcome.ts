import type { FastifyBaseLogger } from 'fastify'
import { WEBHOOK } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { DeliveryOutcome, ErasureOutcome } from '#server/integrations/providers/provider.ts'
import type { CircuitBreaker } from './channel-rate-limits.ts'
import type { ClaimedDelivery } from './claim-deliveries.store.ts'
import type { ClaimedErasure } from './erasure-attempts.store.ts'
import type { ClaimedInvitation } from './invitation-attempts.store.ts'
import { PROBE_S, WEBHOOK_PROBE_S } from './settlement.ts'
import {
  type BlockedConnection,
  blockConnection,
  chargeLimiter,
  pauseLimiter,
  unblockConnection,
} from './settlements.store.ts'

/** Functions that notify a creator of a blocked connection. */
export type NotifyCreator = {
  /** Notifies the creator of a blocked connection, in the transaction that blocks it. */
  notifyCreator: (transaction: Db, blocked: BlockedConnection) => Promise<void>
  /** Runs after the commit of that transaction. */
  onBlocked?: ((blocked: BlockedConnection) => Promise<void>) | undefined
}

type Dependencies = NotifyCreator & {
  db: Db
  now: () => Date
  /** Circuit breakers of the tools and mail channels, and of webhooks. */
  breakers: { services: CircuitBreaker; webhooks: CircuitBreaker }
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
}

const DEFAULT_PAUSE_MS = 5_000

type ClaimedWork = Pick<
  ClaimedDelivery | ClaimedErasure | ClaimedInvitation,
  'provider' | 'connection_id' | 'is_probe' | 'generation'
>

/**
 * Creates a function that stops, pauses or resumes a connection after an outcome, and informs the circuit breaker. The
 * function logs its errors and does not throw them, so that the outcome is stored in any case.
 */
export const createOutcomeApplier = ({
  db,
  now,
  breakers: { services, webhooks },
  notifyCreator,
  onBlocked,
  log,
}: Dependencies) => {
  const applyToConnection = async (
    { provider, connection_id, is_probe, generation }: ClaimedWork,
    outcome: DeliveryOutcome | ErasureOutcome,
  ): Promise<void> => {
    const isPaused = outcome.kind === 'transient' && outcome.pauses_connection
    const hasFailed = outcome.kind === 'transient' && !isPaused
    if (provider === WEBHOOK) webhooks.note(connection_id, hasFailed)
    else services.note(provider, hasFailed)
    if (isPaused) {
      const wait_ms = outcome.wait_ms ?? DEFAULT_PAUSE_MS
      await pauseLimiter(db, connection_id, { now: now(), wait_ms })
    }
    if (outcome.kind === 'credential') {
      const probe_s = provider === WEBHOOK ? WEBHOOK_PROBE_S : PROBE_S
      const blocking = { problem: outcome, now: now(), probe_s }
      const blocked = await db.transaction().execute(async (transaction) => {
        const found = await blockConnection(transaction, { connection_id, generation }, blocking)
        if (found) await notifyCreator(transaction, found)
        return found
      })
      log.info({ connection_id, provider, code: outcome.code }, 'a connection needs its creator')
      if (blocked) await onBlocked?.(blocked)
    }
    if ('extra_calls' in outcome && outcome.extra_calls)
      await chargeLimiter(db, connection_id, outcome.extra_calls)
    if (is_probe && ['delivered', 'suppressed', 'erased'].includes(outcome.kind))
      await unblockConnection(db, connection_id)
  }

  return (claimed: ClaimedWork, outcome: DeliveryOutcome | ErasureOutcome): Promise<void> =>
    applyToConnection(claimed, outcome).catch((error: unknown) =>
      log.error({ err: error, connection_id: claimed.connection_id }, 'an outcome was not applied'),
    )
}
