import { setImmediate as turn } from 'node:timers/promises'

/** No longer than a request may wait for. */
const LONGEST_MS = 5

/**
 * Returns a function that long work on the event loop awaits between small pieces. It lets the loop turn after `ms`
 * milliseconds of work, and throws the reason of `signal` once that is aborted.
 */
export const yieldToEventLoop = ({
  signal,
  ms = LONGEST_MS,
}: {
  signal?: AbortSignal | undefined
  ms?: number
} = {}): (() => Promise<void>) => {
  let began = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - began < ms) return
    await turn()
    signal?.throwIfAborted()
    began = performance.now()
  }
}
