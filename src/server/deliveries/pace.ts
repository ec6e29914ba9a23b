import type { ChannelName } from '#domain/common/vocabulary.ts'
import { PROVIDER_TIMEOUT_MS } from '#server/integrations/providers/provider-requests.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'

const PROBE_MS = 30_000
/** Of services that nothing is sent to any more, nothing needs to be known. */
const MOST_KNOWN = 10_000

/** Services by their names: the tools, or each webhook. */
export type Breaker = {
  /** Says how a call of a service went. */
  note: (name: string, has_failed: boolean) => void
  /** How much may be sent to a service now: everything, one delivery that tries it out, or nothing. */
  allows: (name: string) => 'all' | 'one' | 'none'
  /** The services that are not sent everything. */
  open: () => string[]
}

/**
 * Spares a service that is down: once more than half of its last deliveries failed, `recent` of them, one is tried every
 * thirty seconds until one succeeds.
 */
export const createBreaker = (now: () => number, recent = 20): Breaker => {
  const known = createLruCache<boolean[]>(MOST_KNOWN)
  const probes = createLruCache<{ at: number }>(MOST_KNOWN)
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

export type ChannelRateLimit = {
  /** Calls a second in the long run, and how many may begin at once. */
  per_second: number
  burst: number
  /** Deliveries of one connection under way at the same time. */
  parallel: number
  /** Calls that a delivery counts as; calls beyond are limited by the tool itself. */
  calls: number
  /** Seconds after which another process takes over what this one has not settled: longer than a try can last. */
  lease: number
}

const LEASE = 60
/**
 * A try begins calls to a tool for so long. What is left of the lease holds the call that is under way by then, the
 * refresh that follows where the tool refuses its authorisation, and the writing of what became of it.
 */
export const ATTEMPT_MS = LEASE * 1_000 - 3 * PROVIDER_TIMEOUT_MS
/** A mail server may take a minute for each answer of its dialogue; a mail must not be taken over in between. */
const MAIL_LEASE = 900

/** The rate limit of each tool for one account, with a margin (integrations §11.6), and of one webhook or mail of a quiz. */
export const CHANNEL_RATE_LIMITS: Record<ChannelName, ChannelRateLimit> = {
  convertkit: { per_second: 9, burst: 20, parallel: 4, calls: 1, lease: LEASE },
  // Ten in any second: what may begin at once, and what comes within it.
  brevo: { per_second: 8, burst: 2, parallel: 4, calls: 1, lease: LEASE },
  // One a second, less what a delivery of several calls, begun on one token, is ahead of it.
  systemio: { per_second: 0.8, burst: 2, parallel: 1, calls: 1, lease: LEASE },
  webhook: { per_second: 10, burst: 20, parallel: 4, calls: 1, lease: LEASE },
  mail: { per_second: 5, burst: 10, parallel: 4, calls: 1, lease: MAIL_LEASE },
  notice: { per_second: 1, burst: 5, parallel: 1, calls: 1, lease: MAIL_LEASE },
}
