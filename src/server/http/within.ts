import { unavailable } from './errors.ts'

/** Statements end after 5 s (src/server/db/database.ts); a call is a few of them. */
const LONGEST_MS = 15_000

/**
 * Runs `work`, or throws 503 with Retry-After when it takes longer. The statement under way is cancelled by
 * the database's own time-out, which is shorter.
 */
export const withinTime = <T>(work: () => Promise<T>, ms = LONGEST_MS): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable()), ms)
    const end = (): void => clearTimeout(timer)
    const working = work()
    working.then(end, end)
    working.then(resolve, reject)
  })
