import { PROVIDER_LABELS } from '#domain/integrations.ts'
import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import type { Db } from '#server/db/database.ts'
import type { Blocked } from './settle.store.ts'

/** The address of a creator; null for an account without one, or of another auth service. */
export const findAddress = async (db: Db, user_id: string): Promise<string | null> => {
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user_id)
    .executeTakeFirst()
  return user?.email ?? null
}

/** Queues the mail that tells a creator of a blocked connection, if the account has an address. */
export const tellOfBlocked = async (
  db: Db,
  { user_id, provider, nb_waiting }: Blocked,
): Promise<void> => {
  const email = await findAddress(db, user_id)
  if (email === null) return
  const details = { tool: PROVIDER_LABELS[provider], nb_waiting: Number(nb_waiting) }
  await enqueueMail(db, { kind: 'connection_blocked', email, user_id, details })
}
