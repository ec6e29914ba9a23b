import { setTimeout as pause } from 'node:timers/promises'
import { createLimit, type Limit, type Turn } from '#server/runtime/limit.ts'
import { busy } from './auth-error.ts'

const BUSY_SECONDS = 5

/**
 * Runs password hashing a few at a time, since each takes 19 MiB and a whole core. Networks take turns, and a network
 * has half of the queue at most; beyond that a call is refused (503). A place stays taken for `restAfter` milliseconds
 * after its task; the task's caller does not wait for that.
 */
export const createPasswordQueue = ({
  at_once = 2,
  most_waiting = 50,
  restAfter = (_took: number): number => 0,
} = {}): Limit => {
  const limit = createLimit({
    ...{ at_once, most_waiting, most_waiting_per_key: Math.ceil(most_waiting / 2) },
    refusal: () => busy(BUSY_SECONDS),
  })
  return async <T>(turn: Turn, task: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async (): Promise<void> => {
      const began = performance.now()
      await task().then(resolve, reject)
      const rest = restAfter(performance.now() - began)
      if (rest > 0) await pause(rest)
    }
    limit(turn, run).catch(reject)
    return promise
  }
}
