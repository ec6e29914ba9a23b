import { deliveryRetryDelay } from '#domain/deliveries/delivery.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type { DeliveryOutcome, Failure } from '#server/integrations/providers/provider.ts'
import type { ClaimedDelivery } from './claim-deliveries.store.ts'

/** Outcome of an attempt, as stored. */
export type Settlement = {
  quiz_id: string
  participant_uuid: string
  connection_id: string
  lease_id: string
  status: 'pending' | 'delivered' | 'suppressed' | 'refused'
  /** Seconds until the next attempt; null if the outcome is final. */
  next_in: number | null
  /** Original due time of a delivery that was claimed but not attempted, which keeps its place in the queue. */
  due_at: string | null
  is_attempt: boolean
  is_replaced: boolean
  completed_calls: CompletedCalls
  code: string | null
  outcome: DeliveryOutcome['kind']
  ms: number
}

const MAX_RETRY_AFTER_S = 3_600
const MAX_UNKNOWN_ERRORS = 3
/** Seconds between two probes of a blocked account that may recover without its creator. */
export const PROBE_S = 3_600
/**
 * Seconds between two probes of a blocked webhook. Probes are frequent because no service counts them against an
 * account.
 */
export const WEBHOOK_PROBE_S = 300

type Attempt = { ms: number; chance: number }
type Verdict = Pick<Settlement, 'next_in' | 'is_attempt' | 'code'> & {
  status: 'pending' | 'refused'
}

/**
 * Decides whether a failed attempt is final or repeated, and when; `before` counts earlier attempts
 * (product 11.4, 11.5).
 */
export const decideAfterFailure = (
  failure: Failure,
  before: number,
  { chance }: Pick<Attempt, 'chance'>,
): Verdict => {
  const attempts = before + 1
  const { code } = failure
  const later = (wait_ms = 0): Verdict => ({
    status: 'pending',
    next_in: Math.max(
      deliveryRetryDelay(attempts, chance),
      Math.min(wait_ms / 1_000, MAX_RETRY_AFTER_S),
    ),
    is_attempt: true,
    code,
  })
  const refused: Verdict = { status: 'refused', next_in: null, is_attempt: true, code }
  // The connection is paused, so that the attempt does not count and the delivery keeps its due
  // time.
  const untried: Verdict = { status: 'pending', next_in: 0, is_attempt: false, code }
  switch (failure.kind) {
    case 'permanent':
      return refused
    case 'unknown':
      return attempts >= MAX_UNKNOWN_ERRORS ? refused : later()
    case 'configuration':
      return later()
    case 'credential':
      return untried
    case 'transient':
      return failure.pauses_connection ? untried : later(failure.wait_ms)
  }
}

/** Returns the settlement of a claimed delivery for an outcome. */
export const settle = (
  claimed: ClaimedDelivery,
  outcome: DeliveryOutcome,
  { ms, chance }: Attempt,
): Settlement => {
  const { quiz_id, participant_uuid, connection_id, lease_id, is_replaced } = claimed
  const base = {
    quiz_id,
    participant_uuid,
    connection_id,
    lease_id,
    is_replaced,
    completed_calls: outcome.completed_calls,
    outcome: outcome.kind,
    ms,
    next_in: null,
    due_at: null,
    is_attempt: true,
  }
  if (outcome.kind === 'delivered')
    return { ...base, status: 'delivered', code: outcome.warning ?? null }
  if (outcome.kind === 'suppressed') return { ...base, status: 'suppressed', code: outcome.reason }
  const verdict = decideAfterFailure(outcome, claimed.attempts, { chance })
  // A started delivery moves to the end of the queue. Otherwise its last calls and those of the
  // next delivery would exceed the limit of the tool.
  const keepsPlace = !verdict.is_attempt && Object.keys(outcome.completed_calls).length === 0
  return { ...base, ...verdict, due_at: keepsPlace ? claimed.due_at : null }
}
