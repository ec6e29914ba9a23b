import type { Db } from '#server/db/database.ts'
import { inTransaction } from './in-transaction.ts'

/** Ends a transaction whose rows were only written to take their time. */
class Undone extends Error {}

/** Does all that making something takes, gives what was made, and takes it back. */
export const pretend = async <Made>(
  db: Db,
  make: (transaction: Db) => Promise<Made | undefined>,
): Promise<Made> => {
  const pretended: { made?: Made | undefined } = {}
  try {
    await inTransaction(db, async (transaction) => {
      pretended.made = await make(transaction)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (!pretended.made) throw new Error('Nothing was pretended')
  return pretended.made
}
