import {
  CONFIRMATION,
  INVITATION,
  MAIL,
  NOTICE,
  type OutboxChannel,
  PROVIDERS,
} from '#domain/common/vocabulary.ts'
import { PROVIDER_TIMEOUT_MS } from '#server/integrations/providers/provider-requests.ts'
import { createLruCache } from '#server/runtime/caches.ts'

const PROBE_MS = 30_000
/** Maximum number of services with a stored state; the least recently used are dropped. */
const MAX_SERVICES = 10_000

/** Circuit breaker for services: each tool by name, each webhook by connection id. */
export type CircuitBreaker = {
  /** Records the outcome of a call to a service. */
  note: (name: string, has_failed: boolean) => void
  /** Returns the number of deliveries allowed now: all, one probe, or none. */
  allows: (name: string) => 'all' | 'one' | 'none'
  /** Returns the names of the services whose circuit is open. */
  open: () => string[]
}

/**
 * Creates a circuit breaker. The circuit of a service opens if more than half of its last `recent` deliveries failed.
 * Then one probe is sent every thirty seconds until a probe succeeds.
 */
export const createCircuitBreaker = (now: () => number, recent = 20): CircuitBreaker => {
  const known = createLruCache<boolean[]>(MAX_SERVICES)
  const probes = createLruCache<{ at: number }>(MAX_SERVICES)
  return {
    note: (name, has_failed) => {
      if (probes.has(name)) {
        if (has_failed) return
        probes.delete(name)
        known.delete(name)
      }
      const last = [...(known.get(name) ?? []), has_failed].slice(-recent)
      known.set(name, last)
      const failures = last.filter(Boolean).length
      if (last.length === recent && failures * 2 > recent)
        probes.set(name, { at: now() + PROBE_MS })
    },
    allows: (name) => {
      const probe = probes.get(name)
      if (!probe) return 'all'
      if (now() < probe.at) return 'none'
      probes.set(name, { at: now() + PROBE_MS })
      return 'one'
    },
    open: () => [...probes.keys()],
  }
}

/** Limits of a channel for each connection. */
export type ChannelRateLimit = {
  /** Refill rate of the token bucket, in calls per second. `burst` is the capacity of the bucket. */
  per_second: number
  burst: number
  /** Maximum number of concurrent deliveries per connection. */
  parallel: number
  /** Tokens that a delivery takes in advance. */
  calls: number
  /** Lease of a delivery, renewed while the attempt runs. After the lease, another process claims the delivery. */
  lease_s: number
}

const LEASE_S = 60
/**
 * Time in which an attempt may start calls to a tool. The rest of the lease is for the running call, a token refresh,
 * and storing the outcome.
 */
export const ATTEMPT_MS = LEASE_S * 1_000 - 3 * PROVIDER_TIMEOUT_MS
/**
 * Lease of a mail in seconds. This lease is longer than others, because a repeated mail reaches its recipient twice.
 */
const MAIL_LEASE_S = 120

/** Channels with one service for all creators, unlike webhooks. */
export const SERVICES: readonly OutboxChannel[] = [
  ...PROVIDERS,
  MAIL,
  NOTICE,
  CONFIRMATION,
  INVITATION,
]

/** Rate limit of each channel per connection. The limits of tools are below their documented limits (product 11.6). */
export const CHANNEL_RATE_LIMITS: Record<OutboxChannel, ChannelRateLimit> = {
  convertkit: { per_second: 9, burst: 20, parallel: 4, calls: 1, lease_s: LEASE_S },
  // Brevo allows ten calls in any second: the burst and the refill of that second.
  brevo: { per_second: 8, burst: 2, parallel: 4, calls: 1, lease_s: LEASE_S },
  // Systeme.io allows one call per second. The rate is lower because a delivery of several calls
  // takes only one token in advance.
  systemio: { per_second: 0.8, burst: 2, parallel: 1, calls: 1, lease_s: LEASE_S },
  webhook: { per_second: 10, burst: 20, parallel: 4, calls: 1, lease_s: LEASE_S },
  mail: { per_second: 5, burst: 10, parallel: 4, calls: 1, lease_s: MAIL_LEASE_S },
  notice: { per_second: 1, burst: 5, parallel: 1, calls: 1, lease_s: MAIL_LEASE_S },
  confirmation: { per_second: 5, burst: 10, parallel: 4, calls: 1, lease_s: MAIL_LEASE_S },
  invitation: { per_second: 5, burst: 10, parallel: 4, calls: 1, lease_s: MAIL_LEASE_S },
}

/** Maximum number of running deliveries in one process. */
export const MAX_UNDERWAY = 64
/** Maximum number of running deliveries over slow channels, so that the tools always have the rest. */
export const MAX_UNDERWAY_BY_CHANNEL: Partial<Record<OutboxChannel, number>> = {
  webhook: 32,
  mail: 6,
  notice: 2,
  confirmation: 6,
  invitation: 4,
}
/** Maximum number of running deliveries per creator, so that slow receivers delay no other creator. */
export const MAX_UNDERWAY_PER_CREATOR: Record<OutboxChannel, number> = {
  convertkit: 8,
  brevo: 8,
  systemio: 8,
  webhook: 8,
  mail: 3,
  notice: 1,
  confirmation: 3,
  invitation: 2,
}
