import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import { lockUser } from '#server/auth/users.store.ts'
import type { Db } from '#server/db/database.ts'

/**
 * Deletes all that is stored of a creator: quizzes with their versions and responses, then the account
 * with its sessions. Its address is told. Of an account that another service keeps, the quizzes alone.
 */
export const deleteAccount = async (db: Db, id: string): Promise<void> => {
  await db.transaction().execute(async (transaction) => {
    const user = await lockUser(transaction, id)
    await transaction.deleteFrom('quizzes').where('creator_id', '=', id).execute()
    if (!user) return
    await transaction.deleteFrom('users').where('id', '=', id).execute()
    if (user.email) await enqueueMail(transaction, { kind: 'account_deleted', email: user.email })
  })
}
