/** A tab that reloads frees its run some milliseconds after the new page asks for it. */
const PATIENCE_MS = 1_000

/**
 * Takes a run for as long as this page lives; false when another living tab has it, as the copy of a tab does. A browser without
 * locks (those of pages without https) gives it to whoever asks.
 */
export const holdRun = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve(true)
      return new Promise(() => undefined)
    }
    if (!('locks' in navigator)) return resolve(true)
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(PATIENCE_MS) }, hold)
      .catch(() => resolve(false))
  })
