import { audit } from '#server/audit/audit.ts'
import { markHalfConfirmed, swapEmail } from '#server/auth/addresses.store.ts'
import { emailExists, otpExpired } from '#server/auth/auth-error.ts'
import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import type { Services } from '#server/auth/services.ts'
import type { User } from '#server/auth/users.store.ts'
import { clearTokens } from './one-time-tokens.store.ts'
import type { Redeemed } from './redeem.ts'

/** Somebody else has taken the address since the change was asked for. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505'

/**
 * One of the two mails of a change of address was followed. The first one is noted; the second one makes the
 * change. One is enough where accounts confirm themselves, or had no address. 422 `email_exists`.
 */
export const changeAddress = async (
  { db, auth }: Pick<Services, 'db' | 'auth'>,
  user: User,
  side: 'current' | 'new',
): Promise<Redeemed> => {
  const { email, new_email, email_change_confirmed_by: other } = user
  if (!new_email) throw otpExpired('link')
  // The same address twice, as when its mail was sent again, is still only one of the two.
  if (email && !auth.is_autoconfirmed && (other === null || other === side)) {
    await markHalfConfirmed(db, user.id, side)
    return 'half'
  }
  await clearTokens(db, user.id)
  // The link of the former address alone shows nothing of whose the new one is.
  const proven_by = side === 'new' || other === 'new' ? 'mail' : null
  const changed = await swapEmail(db, user, new_email, proven_by).catch((error: unknown) => {
    throw isTaken(error) ? emailExists() : error
  })
  if (email) await enqueueMail(db, { kind: 'email_changed', email, details: { new_email } })
  audit('email_changed', { actor_id: user.id, email: new_email })
  return { user: changed }
}
