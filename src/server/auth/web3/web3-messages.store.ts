import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'

/** Marks a message as used for a sign-in; false when it was used before. */
export const useMessage = async (db: Db, message: string): Promise<boolean> => {
  const message_hash = createHash('sha256').update(message).digest()
  const used = await db
    .insertInto('web3_messages')
    .values({ message_hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('message_hash')
    .executeTakeFirst()
  return used !== undefined
}
