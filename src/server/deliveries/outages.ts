import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { isDatabaseUnavailable } from '#server/db/database-error.ts'
import { releaseLeases } from './leases.store.ts'

/** Outages of the database, such as a failover: outcomes that cannot be stored, and claims whose answer was lost. */

const RETRY_MS = 500
/** Time after which an outcome is dropped. Another worker then repeats the attempt. */
const MAX_RETRYING_MS = 900_000

/**
 * Stores the outcome of an attempt, again and again while the database is unavailable. An outcome that is never stored
 * blocks its channel until the lease ends, and is then sent twice. Throws other errors; gives up when `isClosed` returns
 * true or after MAX_RETRYING_MS.
 */
export const storeAfterOutage = async (
  store: () => Promise<void>,
  isClosed: () => boolean,
): Promise<void> => {
  const until = performance.now() + MAX_RETRYING_MS
  for (;;) {
    try {
      return await store()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || isClosed() || performance.now() > until) throw error
      await pause(RETRY_MS)
    }
  }
}

/** Maximum number of stored lease ids. A failing worker claims once a second, and no lease is longer than 180 seconds. */
const MAX_LOST_CLAIMS = 180

/**
 * Creates a function that runs a claim with a new lease id. A failed claim may have been committed, so its leases are
 * released before the next claim. Leases without a worker would block their channel until they end.
 */
export const createClaimRunner = (db: Db) => {
  let lost: string[] = []
  return async <T>(now: Date, claim: (lease_id: string) => Promise<T>): Promise<T> => {
    if (lost.length > 0) {
      await releaseLeases(db, now, lost)
      lost = []
    }
    const lease_id = randomUUID()
    try {
      return await claim(lease_id)
    } catch (error) {
      lost = [...lost, lease_id].slice(-MAX_LOST_CLAIMS)
      throw error
    }
  }
}
