import type { ProviderName } from '#domain/vocabulary.ts'

const RECENT = 20
const PROBE_MS = 30_000

export type Breaker = {
  /** Says how a call of a tool went. */
  note: (provider: ProviderName, has_failed: boolean) => void
  /** How much may be sent to a tool now: everything, one delivery that tries it out, or nothing. */
  allows: (provider: ProviderName) => 'all' | 'one' | 'none'
}

/**
 * Spares a tool that is down: once more than half of its last twenty deliveries failed, one is tried every
 * thirty seconds until one succeeds.
 */
export const createBreaker = (now: () => number): Breaker => {
  const recent = new Map<ProviderName, boolean[]>()
  const open = new Map<ProviderName, number>()
  return {
    note: (provider, has_failed) => {
      if (open.has(provider)) {
        if (has_failed) return
        open.delete(provider)
        recent.delete(provider)
      }
      const last = [...(recent.get(provider) ?? []), has_failed].slice(-RECENT)
      recent.set(provider, last)
      const failures = last.filter(Boolean).length
      if (last.length === RECENT && failures * 2 > RECENT) open.set(provider, now() + PROBE_MS)
    },
    allows: (provider) => {
      const probe_at = open.get(provider)
      if (probe_at === undefined) return 'all'
      if (now() < probe_at) return 'none'
      open.set(provider, now() + PROBE_MS)
      return 'one'
    },
  }
}
