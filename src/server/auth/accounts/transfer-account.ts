import { audit } from '#server/audit/audit.ts'
import {
  deleteIdentities,
  deletePendingSignIns,
  saveRemainingMethods,
} from '#server/auth/external/external.store.ts'
import { deleteFactors } from '#server/auth/factors/factors.store.ts'
import { deleteReplyAddresses } from '#server/auth/reply-addresses/reply-addresses.store.ts'
import type { Db } from '#server/db/database.ts'
import type { EmailProof } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import { confirmUser } from './email-accounts.store.ts'
import { putEmailIdentity } from './identities.store.ts'
import type { User } from './users.store.ts'

/** Proof of an address, and the sign-in under way that brought it. */
type Transfer = {
  proven_by: EmailProof
  /** Word of the audit log: the provider, or `mail`. */
  detail: string
  /** PKCE flow that goes on after the transfer. */
  flow_id?: string | null
}

/**
 * Transfers an account with an unproven address to the person who proved that the address is theirs. Deletes password,
 * sessions, API keys, factors, identities, number, reply addresses and pending links, because another person may have created the account.
 */
export const transferAccount = async (
  db: Db,
  user: User,
  { proven_by, detail, flow_id = null }: Transfer,
): Promise<User> => {
  const { id, email } = user
  await deleteIdentities(db, id)
  await deleteFactors(db, id)
  await deletePendingSignIns(db, id, { except_flow: flow_id })
  await deleteReplyAddresses(db, id)
  await saveRemainingMethods(db, id, { email, keeps_password: false, keeps_phone: false })
  const replaced = await confirmUser(db, id, { proven_by, drops_password: true })
  await putEmailIdentity(db, id, { sub: id, email, phone_verified: false })
  if (email && user.email_confirmed_at)
    await enqueueMail(db, { kind: 'ways_in_replaced', email, user_id: id })
  audit('ways_in_replaced', { actor_id: id, detail })
  return replaced
}
