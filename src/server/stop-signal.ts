/** A Ctrl-C may arrive twice, from the terminal and passed on by npm: that counts as one signal. */
const SAME_SIGNAL_MS = 1_000
/** After this the process ends, whatever still runs. */
const LONGEST_STOP_MS = 25_000

/**
 * Aborted, with the signal's name as its reason, once this process is told to stop. A second signal
 * ends the process at once. `drain_ms` is how long calls are still taken.
 */
export const listenForStop = (drain_ms = 0): AbortSignal => {
  const stop = new AbortController()
  let told_at = 0
  const tell = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      told_at = performance.now()
      stop.abort(signal)
      setTimeout(() => process.exit(1), LONGEST_STOP_MS + drain_ms).unref()
    } else if (performance.now() - told_at > SAME_SIGNAL_MS) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, tell)
  return stop.signal
}
