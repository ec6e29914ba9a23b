import { CHANNEL_LABELS } from '#domain/integrations.ts'
import { findAddress } from '#server/auth/creator-address.store.ts'
import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import type { Db } from '#server/db/database.ts'
import type { Blocked } from './settle.store.ts'

/** Queues the mail that tells a creator of a blocked connection, if the account has an address. */
export const tellOfBlocked = async (
  db: Db,
  { user_id, provider, nb_waiting, quiz_id, url }: Blocked,
): Promise<void> => {
  const email = await findAddress(db, user_id)
  if (email === null) return
  const waiting = { nb_waiting: Number(nb_waiting) }
  if (quiz_id === null || url === null) {
    const details = { tool: CHANNEL_LABELS[provider], ...waiting }
    return enqueueMail(db, { kind: 'connection_blocked', email, user_id, details })
  }
  const details = { tool: new URL(url).host, quiz_id, ...waiting }
  return enqueueMail(db, { kind: 'webhook_blocked', email, user_id, details })
}
