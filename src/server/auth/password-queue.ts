import { setTimeout as pause } from 'node:timers/promises'
import { createLimit, type Limit, type Turn } from '#server/runtime/limit.ts'
import { busy } from './auth-error.ts'

const BUSY_SECONDS = 5

/**
 * Runs password hashing a few at a time, because each takes 19 MiB and a whole core; networks take turns. Refuses (503)
 * a call beyond the queue, or beyond the half of it that a network has with `has_shares`. A place stays taken for
 * `restAfter` milliseconds after its task, but the caller of the task does not wait for that.
 */
export const createPasswordQueue = ({
  at_once = 2,
  most_waiting = 50,
  has_shares = true,
  restAfter = (_took: number): number => 0,
} = {}): Limit => {
  const limit = createLimit({
    ...{ at_once, most_waiting },
    most_waiting_per_key: has_shares ? Math.ceil(most_waiting / 2) : most_waiting,
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
