import type { ChannelName } from '#domain/vocabulary.ts'

export type Pace = {
  /** Calls a second in the long run, and how many may begin at once. */
  per_second: number
  burst: number
  /** Deliveries of one connection under way at the same time. */
  parallel: number
  /** Calls that a delivery counts as; calls beyond are limited by the tool itself. */
  calls: number
}

/** The rate limit of each tool for one account, with a margin (integrations §11.6), and of one webhook. */
export const PACES: Record<ChannelName, Pace> = {
  convertkit: { per_second: 9, burst: 20, parallel: 4, calls: 1 },
  // Ten in any second: what may begin at once, and what comes within it.
  brevo: { per_second: 8, burst: 2, parallel: 4, calls: 1 },
  systemio: { per_second: 1, burst: 2, parallel: 1, calls: 1 },
  webhook: { per_second: 10, burst: 20, parallel: 4, calls: 1 },
}
