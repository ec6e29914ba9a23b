import { unavailable } from './errors.ts'

/** Statements end after 5 s (src/server/db/database.ts); a call is a few of them. */
const LONGEST_MS = 15_000

/**
 * Runs `work`, or throws 503 with Retry-After when it takes longer. The statement under way is cancelled by
 * the database's own time-out, which is shorter.
 */
export const withinTime = async <T>(work: () => Promise<T>, ms = LONGEST_MS): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms)
  })
  try {
    return await Promise.race([work(), end])
  } finally {
    clearTimeout(timer)
  }
}
