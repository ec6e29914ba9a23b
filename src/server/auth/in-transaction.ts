import type { Db } from '#server/db/database.ts'
import { withRetries } from '#server/db/database-error.ts'

/**
 * What `work` gives, all of it or nothing; begun again when its transaction met another and was chosen to,
 * three times at most. So `work` keeps nothing of its own between two tries.
 */
export const inTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  withRetries(() => db.transaction().execute(work))
