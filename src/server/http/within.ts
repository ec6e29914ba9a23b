import { LONGEST_CALL_MS } from '#contract/endpoint.ts'
import { unavailable } from './errors.ts'

/**
 * Runs `work`, or throws 503 with Retry-After when it takes longer. The statement under way is cancelled by
 * the database's own time-out, which is shorter.
 */
export const withinTime = <T>(work: () => Promise<T>, ms = LONGEST_CALL_MS): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable()), ms)
    const end = (): void => clearTimeout(timer)
    const working = work()
    working.then(end, end)
    working.then(resolve, reject)
  })
