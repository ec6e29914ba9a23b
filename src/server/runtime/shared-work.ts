type Underway<T> = { result: Promise<T>; abort: AbortController; nb_waiting: number }

/**
 * Runs work of a key. Callers that ask for the same key meanwhile wait for the same work. Throws the reason of `signal`
 * as soon as it is aborted. The signal of the work is aborted if all callers have left.
 */
export type SharedWork<T> = (
  turn: { key: string; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

/** Creates the function that shares work by key. */
export const createSharedWork = <T>(): SharedWork<T> => {
  const underway = new Map<string, Underway<T>>()

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>): Underway<T> => {
    const abort = new AbortController()
    const result = work(abort.signal).finally(() => {
      if (underway.get(key) === started) underway.delete(key)
    })
    const started: Underway<T> = { result, abort, nb_waiting: 0 }
    // Callers that have left do not observe the failure.
    result.catch(() => undefined)
    underway.set(key, started)
    return started
  }

  return async ({ key, signal }, work) => {
    signal?.throwIfAborted()
    const shared = underway.get(key) ?? begin(key, work)
    shared.nb_waiting++
    try {
      return await (signal ? untilAborted(shared.result, signal) : shared.result)
    } finally {
      shared.nb_waiting--
      if (shared.nb_waiting === 0 && underway.get(key) === shared) {
        underway.delete(key)
        shared.abort.abort(signal?.reason)
      }
    }
  }
}

const untilAborted = async <T>(result: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
