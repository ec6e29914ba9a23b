import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type ChannelName, MAIL, NOTICE, PROVIDERS, WEBHOOK } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { DeliveryOutcome, ErasureOutcome } from '#server/integrations/providers/provider.ts'
import { transient } from '#server/integrations/providers/provider-requests.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import {
  type ClaimContext,
  type ClaimedDelivery,
  type CreatorLoad,
  claimDue,
  openLimiters,
  type Share,
} from './claim-deliveries.store.ts'
import { type ClaimedErasure, claimErasures, settleErasure } from './erasure-attempts.store.ts'
import { CHANNEL_RATE_LIMITS, type ChannelRateLimit, createBreaker } from './pace.ts'
import type { Send } from './send.ts'
import type { SendErasure } from './send-erasure.ts'
import { PROBE_S, type Settlement, settle, WEBHOOK_PROBE_S } from './settlement.ts'
import {
  type Blocked,
  blockConnection,
  chargeLimiter,
  pauseLimiter,
  recordUnusableConnections,
  resumeConnections,
  unblockConnection,
  writeSettlements,
} from './settlements.store.ts'

export type Worker = {
  /** Looks for due deliveries and erasures in a moment. */
  wake: () => void
  /** Sends every due delivery and erasure, and gives how many were tried. */
  drain: () => Promise<number>
  /** Claims nothing more, and waits for deliveries under way. */
  close: () => Promise<void>
}

type Needs = {
  db: Db
  send: Send
  erase: SendErasure
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  /** Tells the creator of a connection that begins to need them, in the transaction that notes it: both are so, or neither. */
  tell: (noting: Db, blocked: Blocked) => Promise<void>
  /** Called once that is written. */
  onBlocked?: (blocked: Blocked) => Promise<void>
  now?: () => Date
  paces?: Record<ChannelName, ChannelRateLimit>
}

/** Deliveries under way in one process. */
const AT_ONCE = 64
/** Deliveries under way to webhooks and to the mail server, which may be slow: the tools always have the rest. */
const MOST_OF: Partial<Record<ChannelName, number>> = { webhook: 32, mail: 6, notice: 2 }
/** Deliveries under way for one creator, so that slow receivers of one creator never hold up another creator. */
const MAX_UNDERWAY_PER_CREATOR: Record<ChannelName, number> = {
  ...{ convertkit: 8, brevo: 8, systemio: 8 },
  ...{ webhook: 8, mail: 3, notice: 1 },
}
/** Each is one service for the connections of all creators. */
const SERVICES: readonly ChannelName[] = [...PROVIDERS, MAIL, NOTICE]
/** A webhook is a service of its own, which few deliveries go to. */
const RECENT_OF_WEBHOOK = 6
const LOOK_EVERY_MS = 1_000
/** While deliveries are under way, their rate limiters soon allow more. */
const LOOK_SOON_MS = 100
/** On a machine that is busy with visitors a look takes long, and the next comes later, but never later than this. */
const LOOK_AT_LAST_MS = 250
/** What looking may take of the time, at most, until then. */
const LOOKING_SHARE = 0.15
/** Outcomes of one look come close together; those of so long are written in one statement. */
const GATHER_MS = 20
const DEFAULT_PAUSE_MS = 5_000
const CLOSING_PATIENCE_MS = 12_000

/**
 * Delivers the outbox: claims what is due, calls the tools, writes the outcomes. Any number of processes may
 * run it at once; another one takes over what a killed one leaves (docs/decisions/017).
 */
export const createWorker = ({
  db,
  send,
  erase,
  log,
  tell,
  onBlocked,
  now = () => new Date(),
  paces = CHANNEL_RATE_LIMITS,
}: Needs): Worker => {
  const breaker = createBreaker(() => now().getTime())
  const webhooks = createBreaker(() => now().getTime(), RECENT_OF_WEBHOOK)
  const nb_of = new Map<ChannelName, number>()
  /** Deliveries and erasures under way, by channel and creator. */
  const nb_of_creators = new Map<string, CreatorLoad>()
  const count = ({ provider, user_id }: ClaimedDelivery | ClaimedErasure, by: 1 | -1): void => {
    nb_of.set(provider, (nb_of.get(provider) ?? 0) + by)
    const key = `${provider} ${user_id}`
    const nb_underway = (nb_of_creators.get(key)?.nb_underway ?? 0) + by
    if (nb_underway > 0) nb_of_creators.set(key, { user_id, provider, nb_underway })
    else nb_of_creators.delete(key)
  }
  const underway = new Set<Promise<void>>()
  let settled: Settlement[] = []
  let writing: Promise<void> | undefined
  let running: Promise<number> | undefined
  let timer: NodeJS.Timeout | undefined
  let isSoon = false
  let looked_at = 0
  let isClosed = false

  /**
   * Batches outcomes that come close together, or while the previous batch is written. What a batch that fails has of
   * deliveries is tried again once their leases have ended.
   */
  const write = async (): Promise<void> => {
    while (settled.length > 0) {
      await pause(GATHER_MS)
      const batch = settled
      settled = []
      await writeSettlements(db, now(), batch).catch((error: unknown) =>
        log.error({ err: error, nb_settlements: batch.length }, 'outcomes were not written'),
      )
    }
    writing = undefined
  }
  const deliver = async (claimed: ClaimedDelivery): Promise<void> => {
    const began = performance.now()
    const outcome = await send(claimed).catch((error: unknown): DeliveryOutcome => {
      log.error({ err: error, quiz_id: claimed.quiz_id }, 'a delivery was not tried')
      return {
        kind: 'transient',
        code: 'internal',
        pauses_connection: false,
        completed_calls: claimed.completed_calls,
      }
    })
    await noteFor(claimed, outcome)
    const ms = Math.round(performance.now() - began)
    settled.push(settle(claimed, outcome, { ms, chance: Math.random() }))
    writing ??= write()
    await writing
  }
  const carryOut = async (claimed: ClaimedErasure): Promise<void> => {
    const outcome = await erase(claimed, now()).catch((error: unknown): ErasureOutcome => {
      log.error({ err: error, erasure_id: claimed.erasure_id }, 'an erasure was not tried')
      return transient('internal')
    })
    await noteFor(claimed, outcome)
    await settleErasure(db, claimed, { outcome, now: now(), chance: Math.random() })
  }
  /** Applies what an outcome means for the whole connection, or for the tool. */
  const applyToConnection = async (
    { provider, connection_id, is_probe, generation }: ClaimedDelivery | ClaimedErasure,
    outcome: DeliveryOutcome | ErasureOutcome,
  ): Promise<void> => {
    const isPaused = outcome.kind === 'transient' && outcome.pauses_connection
    const hasFailed = outcome.kind === 'transient' && !isPaused
    if (provider === WEBHOOK) webhooks.note(connection_id, hasFailed)
    else breaker.note(provider, hasFailed)
    if (isPaused) {
      const wait_ms = outcome.wait_ms ?? DEFAULT_PAUSE_MS
      await pauseLimiter(db, connection_id, { now: now(), wait_ms })
    }
    if (outcome.kind === 'credential') {
      const probe_s = provider === WEBHOOK ? WEBHOOK_PROBE_S : PROBE_S
      const blocking = { problem: outcome, now: now(), probe_s }
      const blocked = await db.transaction().execute(async (noting) => {
        const found = await blockConnection(noting, { connection_id, generation }, blocking)
        if (found) await tell(noting, found)
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

  /** The same; what became of the participant is written even where that of the connection could not be. */
  const noteFor: typeof applyToConnection = (claimed, outcome) =>
    applyToConnection(claimed, outcome).catch((error: unknown) =>
      log.error({ err: error, connection_id: claimed.connection_id }, 'an outcome was not applied'),
    )

  /** What is to be begun, erasures first; a tool that is tried out gets one of both. */
  const claim = async (): Promise<{
    erasures: ClaimedErasure[]
    deliveries: ClaimedDelivery[]
  }> => {
    const room = AT_ONCE - underway.size
    const allowed = Map.groupBy(SERVICES, breaker.allows)
    const spared = Map.groupBy(webhooks.open(), webhooks.allows)
    const at = { now: now(), paces }
    const taken = { erasures: [] as ClaimedErasure[], deliveries: [] as ClaimedDelivery[] }
    const take = async (claiming: ClaimContext): Promise<void> => {
      const own = { ...claiming, underway: [...nb_of_creators.values()] }
      const erasures = await claimErasures(db, own)
      const nb_told = erasures.filter(({ provider }) => provider === WEBHOOK).length
      const shares = claiming.shares.map(({ provider, share, per_creator }) => ({
        ...{ provider, per_creator },
        share: provider === WEBHOOK ? share - nb_told : share,
      }))
      const most = claiming.most - erasures.length
      taken.erasures.push(...erasures)
      taken.deliveries.push(...(await claimDue(db, { ...own, shares, most })))
    }
    const shareOf = (provider: ChannelName): Share => {
      const own = (MOST_OF[provider] ?? AT_ONCE) - (nb_of.get(provider) ?? 0)
      return {
        provider,
        share: Math.min(room, own),
        per_creator: MAX_UNDERWAY_PER_CREATOR[provider],
      }
    }
    const channels: ChannelName[] = [...(allowed.get('all') ?? []), WEBHOOK]
    const shares = channels.map(shareOf).filter(({ share }) => share > 0)
    await take({
      ...{ ...at, shares, most: room },
      spared: spared.get('none') ?? [],
      tried: spared.get('one') ?? [],
    })
    for (const provider of allowed.get('one') ?? [])
      await take({ ...at, shares: [{ provider, share: 1, per_creator: 1 }], most: 1 })
    return taken
  }
  const start = (claimed: ClaimedDelivery | ClaimedErasure, work: Promise<void>): void => {
    const sending = work
      .catch((error: unknown) => log.error({ err: error }, 'a delivery was not settled'))
      .finally(() => {
        underway.delete(sending)
        count(claimed, -1)
      })
    underway.add(sending)
    count(claimed, 1)
  }
  const lookAround = async (): Promise<void> => {
    await openLimiters(db, now())
    await recordUnusableConnections(db, now())
    await resumeConnections(db, now())
  }
  /** One look; gives how many deliveries it began. */
  const begin = async (): Promise<number> => {
    if (performance.now() - looked_at >= LOOK_EVERY_MS) {
      looked_at = performance.now()
      await lookAround()
    }
    if (isClosed) return 0
    const { erasures, deliveries } = await claim()
    for (const one of erasures) start(one, carryOut(one))
    for (const one of deliveries) start(one, deliver(one))
    return erasures.length + deliveries.length
  }
  const look = async (): Promise<void> => {
    timer = undefined
    isSoon = false
    let begun = 0
    const began = performance.now()
    try {
      running = begin()
      begun = await running
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be looked into')
    } finally {
      running = undefined
    }
    const share_ms = (performance.now() - began) / LOOKING_SHARE
    const soon_ms = Math.min(Math.max(LOOK_SOON_MS, share_ms), LOOK_AT_LAST_MS)
    lookLater(begun > 0 || underway.size > 0 ? soon_ms : LOOK_EVERY_MS)
  }
  const lookLater = (ms: number): void => {
    if (isClosed) return
    isSoon = ms < LOOK_EVERY_MS
    timer ??= setTimeout(look, ms)
    timer.unref()
  }

  return {
    wake: () => {
      if (running || isSoon) return
      clearTimeout(timer)
      timer = undefined
      lookLater(LOOK_SOON_MS)
    },
    drain: async () => {
      let tried = 0
      for (;;) {
        await lookAround()
        const begun = await begin()
        await Promise.all(underway)
        if (begun === 0) return tried
        tried += begun
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running?.catch(() => undefined)
      await settleWithin(CLOSING_PATIENCE_MS, ...underway)
    },
  }
}
