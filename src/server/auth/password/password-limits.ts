import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { busy, tooManyRequests } from '#server/auth/auth-error.ts'
import { clientKey, MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { createConcurrencyLimit, type Limit, type Turn } from '#server/runtime/concurrency-limit.ts'

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
  const limit = createConcurrencyLimit({
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

const FREE_TRIES = 5
const FIRST_DELAY = 60_000
const MAX_DELAY = 3_600_000
const FORGOTTEN_AFTER = 24 * 3_600_000

type Failures = { count: number; at: number }

/** Returns the delay after a number of wrong attempts: none, then one minute doubling up to an hour. */
const delayAfter = (count: number): number =>
  count < FREE_TRIES ? 0 : Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (count - FREE_TRIES))

/** Delays for wrong passwords. */
export type WrongPasswords = ReturnType<typeof createWrongPasswords>

/**
 * Creates the delay for wrong passwords per account and network. attempts.ts limits accounts over all networks.
 * Unknown addresses count too.
 */
export const createWrongPasswords = () => {
  const memory = createLruCache<Failures>(MAX_TRACKED_KEYS)
  const failuresOf = (key: string, now: number): Failures => {
    const failures = memory.get(key)
    return failures && now - failures.at < FORGOTTEN_AFTER ? failures : { count: 0, at: now }
  }
  return {
    keyOf: (email: string, ip: string): string =>
      createHash('sha256')
        .update(`${clientKey(ip)} ${email}`)
        .digest('base64'),
    /** Throws 429 during the delay after the last wrong password. */
    check: (key: string, now = Date.now()): void => {
      const { count, at } = failuresOf(key, now)
      const wait = at + delayAfter(count) - now
      if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000))
    },
    add: (key: string, now = Date.now()): void => {
      memory.set(key, { count: failuresOf(key, now).count + 1, at: now })
    },
    forget: (key: string): void => {
      memory.delete(key)
    },
  }
}
