import { retryDelay } from '#domain/delivery.ts'
import type { Steps } from '#server/db/outbox-tables.ts'
import type { DeliveryOutcome } from '#server/integrations/providers/provider.ts'
import type { Claimed } from './claim.store.ts'

/** The outcome of an attempt, as it is written. */
export type Settlement = {
  quiz_id: string
  participant_uuid: string
  connection_id: string
  lease_id: string
  status: 'pending' | 'delivered' | 'suppressed' | 'refused'
  /** Seconds until the next try; null of what is final. */
  next_in: number | null
  is_attempt: boolean
  is_replaced: boolean
  steps: Steps
  code: string | null
  outcome: DeliveryOutcome['kind']
  ms: number
}

const LONGEST_HINT_S = 3_600
const MOST_UNKNOWN = 3
/** A connection that may work again by itself is tried once an hour. */
export const PROBE_S = 3_600
/** Its owner mends it, and no service counts the tries against an account. */
export const WEBHOOK_PROBE_S = 300

/** The row that an outcome leads to (integrations §11.4, §11.5). */
export const settle = (
  claimed: Claimed,
  outcome: DeliveryOutcome,
  { ms, chance }: { ms: number; chance: number },
): Settlement => {
  const { quiz_id, participant_uuid, connection_id, lease_id, is_replaced } = claimed
  const base = {
    quiz_id,
    participant_uuid,
    connection_id,
    lease_id,
    is_replaced,
    steps: outcome.steps,
    outcome: outcome.kind,
    ms,
  }
  const attempts = claimed.attempts + 1
  const later = (code: string, wait_ms = 0) => ({
    ...base,
    status: 'pending' as const,
    next_in: Math.max(retryDelay(attempts, chance), Math.min(wait_ms / 1_000, LONGEST_HINT_S)),
    is_attempt: true,
    code,
  })
  const final = (status: 'delivered' | 'suppressed' | 'refused', code: string | null) => ({
    ...base,
    status,
    next_in: null,
    is_attempt: true,
    code,
  })
  switch (outcome.kind) {
    case 'delivered':
      return final('delivered', outcome.warning ?? null)
    case 'suppressed':
      return final('suppressed', outcome.reason)
    case 'permanent':
      return final('refused', outcome.code)
    case 'unknown':
      return attempts >= MOST_UNKNOWN ? final('refused', outcome.code) : later(outcome.code)
    case 'configuration':
      return later(outcome.code)
    case 'credential':
      return { ...base, status: 'pending', next_in: 0, is_attempt: false, code: outcome.code }
    case 'transient':
      // The connection is paused, not this delivery, which keeps its place and its age.
      return outcome.pauses_connection
        ? { ...base, status: 'pending', next_in: 0, is_attempt: false, code: outcome.code }
        : later(outcome.code, outcome.wait_ms)
  }
}
