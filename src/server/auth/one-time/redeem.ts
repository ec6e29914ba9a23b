import { confirmUser } from '#server/auth/addresses.store.ts'
import { otpExpired, userBanned } from '#server/auth/auth-error.ts'
import { givePhone } from '#server/auth/phones/phone-users.store.ts'
import { phoneExists } from '#server/auth/phones/send-text.ts'
import type { Services } from '#server/auth/services.ts'
import { isBanned, lockUser, type User } from '#server/auth/users.store.ts'
import { changeAddress, isTaken } from './change-address.ts'
import { clearTokens, type OneTimeToken, takeToken } from './one-time-tokens.store.ts'

/** What a used token leads to: its user signed in, or one of the two halves of a change of address. */
export type Redeemed = { user: User } | 'half'

/**
 * Uses a token up and does what it is for: confirms the address, changes it, or nothing more than show
 * whose it is. Success ends every other link and code of the user. Run it in the caller's transaction.
 */
export const redeem = async (
  services: Services,
  token: OneTimeToken,
  form: 'code' | 'link',
): Promise<Redeemed> => {
  const { db } = services
  const user = await lockUser(db, token.user_id)
  if (!user || !(await takeToken(db, token))) throw otpExpired(form)
  if (isBanned(user)) throw userBanned(403)
  if (token.type === 'email_change_current') return changeAddress(services, user, 'current')
  if (token.type === 'email_change_new') return changeAddress(services, user, 'new')
  await clearTokens(db, user.id)
  if (token.type === 'phone_confirmation' || token.type === 'phone_change')
    return { user: await phoned(services, user, token) }
  return { user: await confirmed(services, user, token) }
}

/** A number is its owner's; taken by somebody else meanwhile: 422 `phone_exists`. */
const phoned = async (
  { db }: Services,
  user: User,
  { relates_to: phone, drops_password, type }: OneTimeToken,
): Promise<User> => {
  const isFirst = type === 'phone_confirmation' && !user.phone_confirmed_at
  if (type === 'phone_change' && user.new_phone !== phone) throw otpExpired('code')
  return givePhone(db, user, { phone, drops_password: isFirst && drops_password }).catch(
    (error: unknown) => {
      throw isTaken(error) ? phoneExists() : error
    },
  )
}

/**
 * A mail that was asked for without the account's password takes it away: the one who reads the mail did
 * not choose it.
 */
const confirmed = async (
  { db }: Services,
  user: User,
  { drops_password, type }: OneTimeToken,
): Promise<User> => {
  if (user.email_confirmed_at) return user
  return confirmUser(db, user.id, {
    proven_by: 'mail',
    drops_password: drops_password || type === 'recovery',
  })
}
