import { deliveryRetryDelay } from '#domain/deliveries/delivery.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type { DeliveryOutcome, Failure } from '#server/integrations/providers/provider.ts'
import type { ClaimedDelivery } from './claim-deliveries.store.ts'

/** The outcome of an attempt, as it is written. */
export type Settlement = {
  quiz_id: string
  participant_uuid: string
  connection_id: string
  lease_id: string
  status: 'pending' | 'delivered' | 'suppressed' | 'refused'
  /** Seconds until the next try; null of what is final. */
  next_in: number | null
  /** When it was due, of what was tried in vain: so it keeps its place. */
  due_at: string | null
  is_attempt: boolean
  is_replaced: boolean
  completed_calls: CompletedCalls
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

type Tried = { ms: number; chance: number }
type Verdict = Pick<Settlement, 'next_in' | 'is_attempt' | 'code'> & {
  status: 'pending' | 'refused'
}

/** What follows from a failure after so many attempts before it (integrations §11.4, §11.5). */
export const decideAfterFailure = (
  failure: Failure,
  before: number,
  { chance }: Pick<Tried, 'chance'>,
): Verdict => {
  const attempts = before + 1
  const { code } = failure
  const later = (wait_ms = 0): Verdict => ({
    status: 'pending',
    next_in: Math.max(
      deliveryRetryDelay(attempts, chance),
      Math.min(wait_ms / 1_000, LONGEST_HINT_S),
    ),
    is_attempt: true,
    code,
  })
  const refused: Verdict = { status: 'refused', next_in: null, is_attempt: true, code }
  // The connection waits, not what is sent, which keeps its age.
  const untried: Verdict = { status: 'pending', next_in: 0, is_attempt: false, code }
  switch (failure.kind) {
    case 'permanent':
      return refused
    case 'unknown':
      return attempts >= MOST_UNKNOWN ? refused : later()
    case 'configuration':
      return later()
    case 'credential':
      return untried
    case 'transient':
      return failure.pauses_connection ? untried : later(failure.wait_ms)
  }
}

/** The row that an outcome leads to. */
export const settle = (
  claimed: ClaimedDelivery,
  outcome: DeliveryOutcome,
  { ms, chance }: Tried,
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
  // What has been begun goes on behind the others: its last calls right before a whole delivery are more than a tool takes at once.
  const keepsPlace = !verdict.is_attempt && Object.keys(outcome.completed_calls).length === 0
  return { ...base, ...verdict, due_at: keepsPlace ? claimed.due_at : null }
}
