import { webhookAttention } from '#domain/delivery-words.ts'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import { isTool } from '#domain/vocabulary.ts'
import { findAddress } from '#server/auth/creator-address.store.ts'
import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import type { Db } from '#server/db/database.ts'
import { attentionSentence } from '#server/integrations/sentences.ts'
import type { Blocked } from './settle.store.ts'

/** Queues the mail that tells a creator of a blocked connection and what is to be done, if the account has an address. */
export const tellOfBlocked = async (
  db: Db,
  { user_id, provider, code, nb_waiting, quiz_id, url }: Blocked,
): Promise<void> => {
  const email = await findAddress(db, user_id)
  if (email === null) return
  const waiting = { nb_waiting: Number(nb_waiting) }
  if (isTool(provider)) {
    const to_do = attentionSentence(provider, { code })
    const details = { tool: PROVIDER_LABELS[provider], to_do, ...waiting }
    return enqueueMail(db, { kind: 'connection_blocked', email, user_id, details })
  }
  // The mails of a quiz have no account that could be refused.
  if (quiz_id === null || url === null) return
  const details = { tool: new URL(url).host, to_do: webhookAttention(code), quiz_id, ...waiting }
  return enqueueMail(db, { kind: 'webhook_blocked', email, user_id, details })
}
