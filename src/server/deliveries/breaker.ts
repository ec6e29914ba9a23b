import { boundedCache } from '#server/runtime/bounded-cache.ts'

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
  const known = boundedCache<boolean[]>(MOST_KNOWN)
  const probes = boundedCache<{ at: number }>(MOST_KNOWN)
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
