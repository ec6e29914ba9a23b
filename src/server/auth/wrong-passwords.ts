import { createHash } from 'node:crypto'
import { callerKey, MOST_COUNTED } from '#server/http/throttle.ts'
import { boundedCache } from '#server/runtime/bounded-cache.ts'
import { tooManyRequests } from './auth-error.ts'

const FREE_TRIES = 5
const FIRST_DELAY = 60_000
const LONGEST_DELAY = 3_600_000
const FORGOTTEN_AFTER = 24 * 3_600_000

type Failures = { count: number; at: number }

/** How long the next try must wait after so many wrong ones: none, then a minute doubling to an hour. */
const delayAfter = (count: number): number =>
  count < FREE_TRIES ? 0 : Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (count - FREE_TRIES))

export type WrongPasswords = ReturnType<typeof createWrongPasswords>

/**
 * Slows wrong passwords of one account from one network down; attempts.ts limits those of the account
 * from all networks together. Unknown addresses count alike.
 */
export const createWrongPasswords = () => {
  const memory = boundedCache<Failures>(MOST_COUNTED)
  const failuresOf = (key: string, now: number): Failures => {
    const failures = memory.get(key)
    return failures && now - failures.at < FORGOTTEN_AFTER ? failures : { count: 0, at: now }
  }
  return {
    keyOf: (email: string, ip: string): string =>
      createHash('sha256')
        .update(`${callerKey(ip)} ${email}`)
        .digest('base64'),
    /** Throws 429 while the delay since the last wrong password runs. */
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
