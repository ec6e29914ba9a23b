import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import { lockUser } from '#server/auth/users.store.ts'
import type { Db } from '#server/db/database.ts'
import { deleteImages } from '#server/images/images.store.ts'
import { deleteSettings } from './time-zone.store.ts'

/**
 * Deletes everything stored of a creator, and the account with its sessions, and mails its address. Returns the ids of
 * the deleted quizzes. An account that another service keeps stays there.
 */
export const deleteAccount = async (db: Db, id: string): Promise<string[]> =>
  db.transaction().execute(async (transaction) => {
    const user = await lockUser(transaction, id)
    const quizzes = await transaction
      .deleteFrom('quizzes')
      .where('creator_id', '=', id)
      .returning('id')
      .execute()
    const ids = quizzes.map((quiz) => quiz.id)
    await transaction.deleteFrom('integration_connections').where('user_id', '=', id).execute()
    await transaction.deleteFrom('mail_unsubscribes').where('user_id', '=', id).execute()
    await transaction.deleteFrom('mail_digests').where('user_id', '=', id).execute()
    await deleteImages(transaction, id)
    await deleteSettings(transaction, id)
    if (!user) return ids
    await transaction.deleteFrom('users').where('id', '=', id).execute()
    if (user.email) await enqueueMail(transaction, { kind: 'account_deleted', email: user.email })
    return ids
  })
