import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#server/db/database-error.ts'

const RETRY_MS = 500
/** Time after which the lease of the longest attempt has ended, so that another worker makes it again. */
const MAX_RETRYING_MS = 900_000

/**
 * Stores the outcome of an attempt. While the database is unavailable, for example during a failover, the outcome is
 * stored later, because an unknown outcome would block its channel and then be sent twice. Throws other errors, and
 * gives up when `isClosed` returns true or all leases have ended.
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
