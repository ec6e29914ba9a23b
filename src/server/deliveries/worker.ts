import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { OutboxChannel } from '#domain/common/vocabulary.ts'
import type { SendInvitation } from '#server/campaigns/send-invitation.ts'
import type { Db } from '#server/db/database.ts'
import type { DeliveryOutcome, ErasureOutcome } from '#server/integrations/providers/provider.ts'
import { transient } from '#server/integrations/providers/provider-requests.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { createOutcomeApplier, type NotifyCreator } from './apply-outcome.ts'
import {
  CHANNEL_RATE_LIMITS,
  type ChannelRateLimit,
  createCircuitBreaker,
} from './channel-rate-limits.ts'
import { type ClaimedDelivery, openLimiters } from './claim-deliveries.store.ts'
import { type Claimed, createWorkClaims } from './claim-work.ts'
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts'
import { type ClaimedErasure, settleErasure } from './erasure-attempts.store.ts'
import { type ClaimedInvitation, settleInvitation } from './invitation-attempts.store.ts'
import { createLeaseRenewer } from './leases.store.ts'
import { createClaimRunner, storeAfterOutage } from './outages.ts'
import type { Send } from './send.ts'
import type { SendErasure } from './send-erasure.ts'
import { type Settlement, settle } from './settlement.ts'
import {
  recordUnusableConnections,
  resumeConnections,
  writeSettlements,
} from './settlements.store.ts'

/** Delivery worker. */
export type Worker = {
  /** Schedules a search for due deliveries, erasures and mails of campaigns. */
  wake: () => void
  /** Sends all due deliveries, erasures and mails of campaigns, and returns the number of attempts. */
  drain: () => Promise<number>
  /** Stops claiming, and waits for running deliveries. */
  close: () => Promise<void>
}

type Dependencies = NotifyCreator & {
  db: Db
  send: Send
  erase: SendErasure
  /** Sends mails of campaigns; undefined without a mail server, then these mails wait. */
  invite?: SendInvitation | undefined
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  clock?: DatabaseClock
  rateLimits?: Record<OutboxChannel, ChannelRateLimit>
}

/** Number of deliveries that the circuit breaker of a webhook considers, which is small because a webhook gets few. */
const WEBHOOK_BREAKER_DELIVERIES = 6
const SEARCH_INTERVAL_MS = 1_000
/** Interval between searches while deliveries run, because their rate limiters soon allow more. */
const BUSY_SEARCH_INTERVAL_MS = 100
/** Maximum interval between searches while deliveries run, also if a busy machine makes searches slow. */
const MAX_BUSY_SEARCH_INTERVAL_MS = 250
/** Maximum share of time that searches may take, up to that interval. */
const MAX_SEARCH_TIME_SHARE = 0.15
/** Time in which outcomes are collected for one statement. */
const BATCHING_MS = 20
const CLOSE_TIMEOUT_MS = 12_000

/**
 * Creates a worker that claims due deliveries, calls the tools and stores outcomes. Any number of processes may run a
 * worker. A worker claims the expired leases of others (docs/decisions/017).
 */
export const createWorker = ({
  db,
  send,
  erase,
  invite,
  log,
  notifyCreator,
  onBlocked,
  clock = createDatabaseClock(db),
  rateLimits = CHANNEL_RATE_LIMITS,
}: Dependencies): Worker => {
  const { now } = clock
  const serviceBreaker = createCircuitBreaker(clock.elapsed)
  const webhookBreaker = createCircuitBreaker(clock.elapsed, WEBHOOK_BREAKER_DELIVERIES)
  /** Running work, with the ids of its leases. */
  const underway = new Map<Promise<void>, string>()
  let settled: Settlement[] = []
  let writing: Promise<void> | undefined
  let running: Promise<number> | undefined
  let timer: NodeJS.Timeout | undefined
  let isSoon = false
  let last_update_ms = Number.NEGATIVE_INFINITY
  let isClosed = false
  const applyOutcome = createOutcomeApplier({
    db,
    now,
    breakers: { services: serviceBreaker, webhooks: webhookBreaker },
    notifyCreator,
    onBlocked,
    log,
  })
  const runClaim = createClaimRunner(db)
  const { claim, count } = createWorkClaims({
    db,
    clock,
    rateLimits,
    breakers: { services: serviceBreaker, webhooks: webhookBreaker },
    can_invite: invite !== undefined,
  })
  const keepLeases = createLeaseRenewer(db, clock)
  const store = (write: () => Promise<void>) => storeAfterOutage(write, () => isClosed)

  /** Writes collected outcomes in batches. Deliveries of a refused batch are attempted again after their leases. */
  const write = async (): Promise<void> => {
    while (settled.length > 0) {
      await pause(BATCHING_MS)
      const batch = settled
      settled = []
      await store(() => writeSettlements(db, now(), batch)).catch((error: unknown) =>
        log.error({ err: error, nb_settlements: batch.length }, 'outcomes were not written'),
      )
    }
    writing = undefined
  }
  const deliver = async (claimed: ClaimedDelivery): Promise<void> => {
    const started_ms = performance.now()
    const outcome = await send(claimed).catch((error: unknown): DeliveryOutcome => {
      log.error({ err: error, quiz_id: claimed.quiz_id }, 'a delivery was not tried')
      return { ...transient('internal'), completed_calls: claimed.completed_calls }
    })
    await applyOutcome(claimed, outcome)
    const ms = Math.round(performance.now() - started_ms)
    settled.push(settle(claimed, outcome, { ms, chance: Math.random() }))
    writing ??= write()
    await writing
  }
  const sendErasure = async (claimed: ClaimedErasure): Promise<void> => {
    const outcome = await erase(claimed, now()).catch((error: unknown): ErasureOutcome => {
      log.error({ err: error, erasure_id: claimed.erasure_id }, 'an erasure was not tried')
      return transient('internal')
    })
    await applyOutcome(claimed, outcome)
    const settlement = { outcome, now: now(), chance: Math.random() }
    await store(() => settleErasure(db, claimed, settlement))
  }
  const sendInvitation = async (claimed: ClaimedInvitation): Promise<void> => {
    if (!invite) return
    const outcome = await invite(claimed).catch((error: unknown): DeliveryOutcome => {
      log.error({ err: error, quiz_id: claimed.quiz_id }, 'a mail of a campaign was not tried')
      return { ...transient('internal'), completed_calls: {} }
    })
    await applyOutcome(claimed, outcome)
    const settlement = { outcome, now: now(), chance: Math.random() }
    await store(() => settleInvitation(db, claimed, settlement))
  }
  const start = (claimed: Claimed, work: Promise<void>): void => {
    const sending = work
      .catch((error: unknown) => log.error({ err: error }, 'a delivery was not settled'))
      .finally(() => {
        underway.delete(sending)
        count(claimed, -1)
      })
    underway.set(sending, claimed.lease_id)
    count(claimed, 1)
  }
  const updateConnections = async (): Promise<void> => {
    await openLimiters(db, now())
    await recordUnusableConnections(db, now())
    await resumeConnections(db, now())
  }
  /** Claims due work once, and returns the number of started attempts. */
  const startDueDeliveries = async (): Promise<number> => {
    // Reads the clock first, because the claim compares the leases of all workers with this time.
    await keepLeases([...new Set(underway.values())])
    if (performance.now() - last_update_ms >= SEARCH_INTERVAL_MS) {
      last_update_ms = performance.now()
      await updateConnections()
    }
    if (isClosed) return 0
    const { erasures, deliveries, invitations } = await runClaim(now(), claim)
    for (const erasure of erasures) start(erasure, sendErasure(erasure))
    for (const delivery of deliveries) start(delivery, deliver(delivery))
    for (const invitation of invitations) start(invitation, sendInvitation(invitation))
    return erasures.length + deliveries.length + invitations.length
  }
  const poll = async (): Promise<void> => {
    timer = undefined
    isSoon = false
    let nb_started = 0
    const started_ms = performance.now()
    try {
      running = startDueDeliveries()
      nb_started = await running
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be looked into')
    } finally {
      running = undefined
    }
    const share_ms = (performance.now() - started_ms) / MAX_SEARCH_TIME_SHARE
    const soon_ms = Math.min(
      Math.max(BUSY_SEARCH_INTERVAL_MS, share_ms),
      MAX_BUSY_SEARCH_INTERVAL_MS,
    )
    schedulePoll(nb_started > 0 || underway.size > 0 ? soon_ms : SEARCH_INTERVAL_MS)
  }
  const schedulePoll = (ms: number): void => {
    if (isClosed) return
    isSoon = ms < SEARCH_INTERVAL_MS
    timer ??= setTimeout(poll, ms)
    timer.unref()
  }

  return {
    wake: () => {
      if (running || isSoon) return
      clearTimeout(timer)
      timer = undefined
      schedulePoll(BUSY_SEARCH_INTERVAL_MS)
    },
    drain: async () => {
      let nb_attempts = 0
      for (;;) {
        last_update_ms = Number.NEGATIVE_INFINITY
        const nb_started = await startDueDeliveries()
        await Promise.all(underway.keys())
        if (nb_started === 0) return nb_attempts
        nb_attempts += nb_started
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running?.catch(() => undefined)
      await settleWithin(CLOSE_TIMEOUT_MS, ...underway.keys())
    },
  }
}
