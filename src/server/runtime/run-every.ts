type Options = {
  /**
   * Called with each failure; the work is repeated all the same. Without it a failure ends the process as an
   * unhandled rejection.
   */
  onFailure?: (error: unknown) => void
  /** True to do the work immediately, too. */
  is_immediate?: boolean
}

/**
 * Does `work` every `ms` milliseconds, skipping a turn while the previous one runs. Returns a function that stops the
 * repetition, aborts the signal of work under way, and waits for it. The timer does not keep the process alive.
 */
export const runEvery = (
  ms: number,
  work: (signal: AbortSignal) => unknown,
  { onFailure, is_immediate = false }: Options = {},
): (() => Promise<void>) => {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    try {
      await work(stopping.signal)
    } catch (error) {
      if (!onFailure) throw error
      onFailure(error)
    }
  }
  const begin = (): void => {
    running ??= run().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(begin, ms).unref()
  if (is_immediate) begin()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await running
  }
}
