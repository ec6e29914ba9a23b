import { type OutboxChannel, WEBHOOK } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import {
  type ChannelRateLimit,
  type createCircuitBreaker,
  MAX_UNDERWAY,
  MAX_UNDERWAY_BY_CHANNEL,
  MAX_UNDERWAY_PER_CREATOR,
  SERVICES,
} from './channel-rate-limits.ts'
import {
  type ClaimContext,
  type ClaimedDelivery,
  type CreatorLoad,
  claimDue,
  type Share,
} from './claim-deliveries.store.ts'
import type { DatabaseClock } from './database-clock.ts'
import { type ClaimedErasure, claimErasures } from './erasure-attempts.store.ts'
import { type ClaimedInvitation, claimInvitations } from './invitation-attempts.store.ts'

/** Work that a process has claimed under leases. */
export type Claims = {
  erasures: ClaimedErasure[]
  deliveries: ClaimedDelivery[]
  invitations: ClaimedInvitation[]
}
/** Claimed work of any kind. */
export type Claimed = Claims[keyof Claims][number]

type CircuitBreaker = ReturnType<typeof createCircuitBreaker>
type Dependencies = {
  db: Db
  clock: DatabaseClock
  rateLimits: Record<OutboxChannel, ChannelRateLimit>
  breakers: { services: CircuitBreaker; webhooks: CircuitBreaker }
  /** False without a mail server; mails of campaigns are then not claimed. */
  can_invite: boolean
}

/**
 * Creates the claims of a process, within its capacity, the limits of channels and creators, and its circuit breakers. The
 * process reports the start and the end of each claimed work to `count`.
 */
export const createWorkClaims = ({ db, clock, rateLimits, breakers, can_invite }: Dependencies) => {
  const nb_of = new Map<OutboxChannel, number>()
  /** Running work by channel and creator. */
  const nb_of_creators = new Map<string, CreatorLoad>()
  let nb_underway = 0

  /** Counts work that begins (1) or ends (-1). */
  const count = ({ provider, user_id }: Claimed, by: 1 | -1): void => {
    nb_underway += by
    nb_of.set(provider, (nb_of.get(provider) ?? 0) + by)
    const key = `${provider} ${user_id}`
    const nb_of_creator = (nb_of_creators.get(key)?.nb_underway ?? 0) + by
    if (nb_of_creator > 0)
      nb_of_creators.set(key, { user_id, provider, nb_underway: nb_of_creator })
    else nb_of_creators.delete(key)
  }

  const shareOf = (provider: OutboxChannel): Share => {
    const own = (MAX_UNDERWAY_BY_CHANNEL[provider] ?? MAX_UNDERWAY) - (nb_of.get(provider) ?? 0)
    const per_creator = MAX_UNDERWAY_PER_CREATOR[provider]
    return { provider, share: Math.min(MAX_UNDERWAY - nb_underway, own), per_creator }
  }

  /** Claims erasures first, then deliveries, then mails of campaigns, and adds them to `claims`. */
  const take = async (claims: Claims, claiming: ClaimContext): Promise<void> => {
    const own = { ...claiming, underway: [...nb_of_creators.values()] }
    const erasures = await claimErasures(db, own)
    const nb_webhook_erasures = erasures.filter(({ provider }) => provider === WEBHOOK).length
    const shares = claiming.shares.map(({ provider, share, per_creator }) => ({
      provider,
      per_creator,
      share: provider === WEBHOOK ? share - nb_webhook_erasures : share,
    }))
    const limit = claiming.limit - erasures.length
    claims.erasures.push(...erasures)
    const deliveries = await claimDue(db, { ...own, shares, limit })
    claims.deliveries.push(...deliveries)
    const rest = { ...own, limit: can_invite ? limit - deliveries.length : 0 }
    claims.invitations.push(...(await claimInvitations(db, rest)))
  }

  /** Claims due work under one lease. A tool in probe mode gets at most one delivery. */
  const claim = async (lease_id: string): Promise<Claims> => {
    const allowed = Map.groupBy(SERVICES, breakers.services.allows)
    const failingWebhooks = Map.groupBy(breakers.webhooks.open(), breakers.webhooks.allows)
    const at = { now: clock.now(), lease_cutoff: clock.leaseCutoff(), rateLimits, lease_id }
    const claims: Claims = { erasures: [], deliveries: [], invitations: [] }
    const channels: OutboxChannel[] = [...(allowed.get('all') ?? []), WEBHOOK]
    await take(claims, {
      ...at,
      shares: channels.map(shareOf).filter(({ share }) => share > 0),
      limit: MAX_UNDERWAY - nb_underway,
      blocked: failingWebhooks.get('none') ?? [],
      probed: failingWebhooks.get('one') ?? [],
    })
    for (const provider of allowed.get('one') ?? [])
      await take(claims, { ...at, shares: [{ provider, share: 1, per_creator: 1 }], limit: 1 })
    return claims
  }

  return { claim, count }
}
