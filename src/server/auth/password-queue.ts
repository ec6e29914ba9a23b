import { setTimeout as pause } from 'node:timers/promises'
import { createLimit, type Limit } from '#server/runtime/limit.ts'
import { busy } from './auth-error.ts'

const BUSY_SECONDS = 5

/**
 * Runs password hashing a few at a time, since each takes 19 MiB and a whole core. The others wait for their turn, and
 * beyond `most_waiting` a call is refused (503). A place stays taken for `restAfter` milliseconds after its task; the
 * task's caller does not wait for that.
 */
export const createPasswordQueue = ({
  at_once = 2,
  most_waiting = 50,
  restAfter = (_took: number): number => 0,
} = {}): Limit => {
  const limit = createLimit({ at_once, most_waiting, refusal: () => busy(BUSY_SECONDS) })
  return async <T>(task: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async (): Promise<void> => {
      const began = performance.now()
      await task().then(resolve, reject)
      const rest = restAfter(performance.now() - began)
      if (rest > 0) await pause(rest)
    }
    limit(run).catch(reject)
    return promise
  }
}
