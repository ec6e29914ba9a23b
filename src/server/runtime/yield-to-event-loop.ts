import { setImmediate as turn } from 'node:timers/promises'

/** Maximum time of uninterrupted work, which delays other requests. */
const MAX_BLOCKING_MS = 5

/**
 * Returns a function that long work awaits between small pieces. The function lets the event loop turn after `ms`
 * milliseconds of work, and throws the reason of `signal` when `signal` is aborted.
 */
export const yieldToEventLoop = ({
  signal,
  ms = MAX_BLOCKING_MS,
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
