import { setImmediate as turn } from 'node:timers/promises'

/** No longer than a request may wait for. */
const LONGEST_MS = 5

/**
 * For long work on the event loop: what it gives is awaited between small pieces, and lets the loop turn whenever they
 * have taken `ms` milliseconds since it last did.
 */
export const takeTurns = (ms = LONGEST_MS): (() => Promise<void>) => {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < ms) return
    await turn()
    began = performance.now()
  }
}
