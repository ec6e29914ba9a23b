/** Returns a signal that aborts after a delay. `AbortSignal.timeout` is absent from Safari before 16 and Chrome before 103. */
export const abortAfter = (delay_ms: number): AbortSignal => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), delay_ms)
  return controller.signal
}
