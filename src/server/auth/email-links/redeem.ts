import { audit } from '#server/audit/audit.ts'
import {
  confirmUser,
  markHalfConfirmed,
  replaceEmail,
} from '#server/auth/accounts/email-accounts.store.ts'
import { transferAccount } from '#server/auth/accounts/transfer-account.ts'
import { isBanned, lockUser, type User } from '#server/auth/accounts/users.store.ts'
import { emailExists, otpExpired, userBanned } from '#server/auth/auth-error.ts'
import { findPasswordOrigin } from '#server/auth/password/password-origins.store.ts'
import { requirePhones, type Services } from '#server/auth/services.ts'
import { isUniqueViolation } from '#server/db/database-error.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import { withholdPassword } from './flow-states.store.ts'
import { clearTokens, consumeToken, type OneTimeToken } from './one-time-tokens.store.ts'

/** Result of a consumed token: a user, or 'half' after the first of two confirmations of a change of address. */
export type RedeemedToken = { user: User } | 'half'

/**
 * Consumes a token and performs its action: confirms or changes the address, or only identifies its user. Deletes all
 * other links and codes of the user, except after the first of two confirmations of a change of address. Must run in
 * the caller's transaction.
 */
export const redeem = async (
  services: Services,
  token: OneTimeToken,
  form: 'code' | 'link',
): Promise<RedeemedToken> => {
  const { db } = services
  const user = await lockUser(db, token.user_id)
  if (!user || !(await consumeToken(db, token))) throw otpExpired(form)
  if (isBanned(user)) throw userBanned(403)
  if (token.type === 'email_change_current') return changeAddress(services, user, 'current')
  if (token.type === 'email_change_new') return changeAddress(services, user, 'new')
  await clearTokens(db, user.id)
  if (token.type === 'phone_confirmation' || token.type === 'phone_change')
    return { user: await requirePhones(services).redeem(services, user, token) }
  return { user: await confirmAddress(services, user, token) }
}

/**
 * Records the first confirmation of a change of address, or changes the address at the second. One confirmation is
 * enough if addresses are confirmed automatically or the account has no address. Throws 422 `email_exists`.
 */
const changeAddress = async (
  { db, auth, admin_emails }: Pick<Services, 'db' | 'auth' | 'admin_emails'>,
  user: User,
  side: 'current' | 'new',
): Promise<RedeemedToken> => {
  const { email, new_email, email_change_confirmed_by: other } = user
  if (!new_email) throw otpExpired('link')
  // Two confirmations by the same address count as one.
  if (email && !auth.is_autoconfirmed && (other === null || other === side)) {
    await markHalfConfirmed(db, user.id, side)
    return 'half'
  }
  await clearTokens(db, user.id)
  // A link to the old address does not prove ownership of the new one. An account never becomes an administrator by a
  // change of address, because its owner could make an administrator follow the link (docs/decisions/078).
  const isProven = (side === 'new' || other === 'new') && !admin_emails.includes(new_email)
  const proven_by = isProven ? 'mail' : null
  const changed = await replaceEmail(db, user, new_email, proven_by).catch((error: unknown) => {
    throw isUniqueViolation(error) ? emailExists() : error
  })
  if (email) await enqueueMail(db, { kind: 'email_changed', email, details: { new_email } })
  audit('email_changed', { actor_id: user.id, email: new_email })
  return { user: changed }
}

/**
 * Confirms an address, or proves the automatically confirmed address of an administrator (docs/decisions/078). Deletes the password if another person may have set it: the mail was requested without the
 * password, or another browser set the password. A PKCE client can restore the password with its verifier.
 */
const confirmAddress = async (
  { db, browser, admin_emails }: Services,
  user: User,
  { drops_password, type, flow_id, relates_to }: OneTimeToken,
): Promise<User> => {
  if (user.email_confirmed_at) {
    const isUnproven = user.email_proven_by === null && user.email === relates_to
    if (!isUnproven || !admin_emails.includes(relates_to)) return user
    return transferAccount(db, user, { proven_by: 'mail', detail: 'mail', flow_id })
  }
  const isRequestedWithoutPassword = drops_password || type === 'recovery'
  const { isCaller, code_challenge } = await findPasswordOrigin(db, user.id, browser)
  const { encrypted_password } = user
  if (!isRequestedWithoutPassword && !isCaller && flow_id && code_challenge && encrypted_password)
    await withholdPassword(db, flow_id, { code_challenge, encrypted_password })
  return confirmUser(db, user.id, {
    proven_by: 'mail',
    drops_password: isRequestedWithoutPassword || !isCaller,
  })
}
