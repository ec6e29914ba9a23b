import type { Db } from '#server/db/database.ts'
import { inTransaction } from './services.ts'

/** Rolls the transaction of a dry run back. */
class Undone extends Error {}

/**
 * Does the work of `make`, gives what it made, and rolls it back: a refusal then takes as long as a success.
 */
export const dryRun = async <Made>(
  db: Db,
  make: (transaction: Db) => Promise<Made | undefined>,
): Promise<Made> => {
  const run: { made?: Made | undefined } = {}
  try {
    await inTransaction(db, async (transaction) => {
      run.made = await make(transaction)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (!run.made) throw new Error('The dry run made nothing')
  return run.made
}
