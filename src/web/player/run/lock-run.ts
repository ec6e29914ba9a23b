import { abortAfter } from './abort-after.ts'

/**
 * Longest wait for the lock of a run. A reloading tab releases its lock some milliseconds after the new page requests
 * it.
 */
const LOCK_TIMEOUT_MS = 1_000

/**
 * Locks a run until this page is closed. Resolves to false when another open tab has the lock, as with a duplicated
 * tab. Without the Web Locks API (pages without https, Safari before 15.4) every request succeeds.
 */
export const lockRun = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const waitForever = (): Promise<never> => {
      resolve(true)
      return new Promise(() => undefined)
    }
    if (!navigator.locks) return resolve(true)
    const signal = abortAfter(LOCK_TIMEOUT_MS)
    navigator.locks?.request(name, { signal }, waitForever).catch(() => resolve(false))
  })
