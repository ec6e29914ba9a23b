import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { busy, tooManyRequests } from '#server/auth/auth-error.ts'
import { clientKey, MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { createConcurrencyLimit, type Limit, type Turn } from '#server/runtime/concurrency-limit.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Creates the queue of password hashing. Few tasks run in parallel, because each needs 19 MiB and a core; networks take
 * turns. Throws 503 if the queue is full or, with `has_shares`, if the caller's network fills half of it.
 *
 * `backoffAfter` returns the milliseconds between the end of a task and the start of the next one.
 */
export const createPasswordQueue = ({
  max_concurrent = 2,
  max_queued = 50,
  has_shares = true,
  backoffAfter = (_took: number): number => 0,
} = {}): Limit => {
  const limit = createConcurrencyLimit({
    max_concurrent,
    max_queued,
    max_queued_per_key: has_shares ? Math.ceil(max_queued / 2) : max_queued,
    refusal: () => busy(RETRY_AFTER_SECONDS),
  })
  return async <T>(turn: Turn, task: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async (): Promise<void> => {
      const began = performance.now()
      await task().then(resolve, reject)
      const rest = backoffAfter(performance.now() - began)
      if (rest > 0) await pause(rest)
    }
    limit(turn, run).catch(reject)
    return promise
  }
}

const MAX_TRIES_WITHOUT_DELAY = 5
const FIRST_DELAY_MS = 60_000
const MAX_DELAY_MS = 3_600_000
const RETENTION_MS = 24 * 3_600_000

type Failures = { count: number; at: number }

/** Returns the delay after `count` wrong passwords: none up to four, then one minute, doubled each time up to an hour. */
const delayAfter = (count: number): number =>
  count < MAX_TRIES_WITHOUT_DELAY
    ? 0
    : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - MAX_TRIES_WITHOUT_DELAY))

/** Delays for wrong passwords. */
export type WrongPasswords = ReturnType<typeof createWrongPasswords>

/**
 * Creates the delays for wrong passwords, per address or number and network. Unknown addresses have the same delays.
 * `attempts.ts` limits wrong passwords of an account from all networks.
 */
export const createWrongPasswords = () => {
  const failures_by_key = createLruCache<Failures>(MAX_TRACKED_KEYS)
  const failuresOf = (key: string, now: number): Failures => {
    const failures = failures_by_key.get(key)
    if (!failures || now - failures.at >= RETENTION_MS) return { count: 0, at: now }
    // A clock that was set back must not extend the delay.
    failures.at = Math.min(failures.at, now)
    return failures
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
      failures_by_key.set(key, { count: failuresOf(key, now).count + 1, at: now })
    },
    forget: (key: string): void => {
      failures_by_key.delete(key)
    },
  }
}
