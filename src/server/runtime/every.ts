type Options = {
  /** Hears of each failure; the next turn comes all the same. Without it a failure ends the process, as any unhandled one. */
  onFailure?: (error: unknown) => void
  /** Does the work now too. */
  at_once?: boolean
}

/**
 * Does `work` every `ms` milliseconds, never twice at the same time: a turn that comes while the last one runs is left
 * out. The timer does not keep the process alive. What it gives ends it, tells a work under way by its signal, and
 * waits for it.
 */
export const every = (
  ms: number,
  work: (signal: AbortSignal) => unknown,
  { onFailure, at_once = false }: Options = {},
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
  if (at_once) begin()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await running
  }
}
