/** A Ctrl-C may arrive twice, from the terminal and passed on by npm: that is one wish. */
const SAME_WISH_MS = 1_000
/** By then anything that still hangs is left as it is. */
const LONGEST_STOP_MS = 25_000

/**
 * Aborted, with the signal's name as its reason, once this process is told to stop. A second wish does
 * not wait for anybody. `drain_ms` is how long calls are still taken.
 */
export const listenForStop = (drain_ms = 0): AbortSignal => {
  const stop = new AbortController()
  let told_at = 0
  const tell = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      told_at = performance.now()
      stop.abort(signal)
      setTimeout(() => process.exit(1), LONGEST_STOP_MS + drain_ms).unref()
    } else if (performance.now() - told_at > SAME_WISH_MS) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, tell)
  return stop.signal
}
