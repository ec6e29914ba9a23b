import type { ChannelName } from '#domain/vocabulary.ts'
import { PATIENCE_MS } from '#server/integrations/providers/outbound.ts'

export type Pace = {
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
export const TRY_MS = LEASE * 1_000 - 3 * PATIENCE_MS
/** A mail server may take a minute for each answer of its dialogue; a mail must not be taken over in between. */
const MAIL_LEASE = 900

/** The rate limit of each tool for one account, with a margin (integrations §11.6), and of one webhook or mail of a quiz. */
export const PACES: Record<ChannelName, Pace> = {
  convertkit: { per_second: 9, burst: 20, parallel: 4, calls: 1, lease: LEASE },
  // Ten in any second: what may begin at once, and what comes within it.
  brevo: { per_second: 8, burst: 2, parallel: 4, calls: 1, lease: LEASE },
  // One a second, less what a delivery of several calls, begun on one token, is ahead of it.
  systemio: { per_second: 0.8, burst: 2, parallel: 1, calls: 1, lease: LEASE },
  webhook: { per_second: 10, burst: 20, parallel: 4, calls: 1, lease: LEASE },
  mail: { per_second: 5, burst: 10, parallel: 4, calls: 1, lease: MAIL_LEASE },
  notice: { per_second: 1, burst: 5, parallel: 1, calls: 1, lease: MAIL_LEASE },
}
