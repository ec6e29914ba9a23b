import { AuthError, invalidCredentials, userBanned, validationFailed } from './auth-error.ts'
import { normalizeEmail } from './email-address.ts'
import { weaknessOf } from './password-policy.ts'
import { isPassword, NOBODYS_HASH } from './passwords.ts'
import type { Services } from './services.ts'
import { startSession } from './start-session.ts'
import { findUserByEmail, isBanned, markSignedIn } from './users.store.ts'
import type { SessionJson } from './wire.ts'

type SignIn = { email?: string | null; phone?: string | null; password?: string | null }

const checkSignIn = ({ email, phone, password }: SignIn): { email: string; password: string } => {
  if (email && phone)
    throw validationFailed('Only an email address or phone number should be provided')
  if (phone) throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled')
  if (!email) throw validationFailed('missing email or phone')
  return { email: normalizeEmail(email), password: password ?? '' }
}

/**
 * Signs in by address and password. An unknown address answers as a wrong password does, after the same
 * work: 400 `invalid_credentials`. `ip` is where the call comes from; too many wrong ones: 429.
 */
export const signIn = async (
  services: Services,
  body: SignIn,
  ip: string,
): Promise<SessionJson> => {
  const { db, hashing, log, wrongPasswords } = services
  const { email, password } = checkSignIn(body)
  const key = wrongPasswords?.keyOf(email, ip) ?? ''
  const found = await findUserByEmail(db, email)

  // The check waits for its turn too: a burst of guesses is refused as soon as the first ones failed.
  const isRight = await hashing(async () => {
    wrongPasswords?.check(key)
    const matches = await isPassword(password, found?.encrypted_password ?? NOBODYS_HASH)
    if (matches && found) wrongPasswords?.forget(key)
    else wrongPasswords?.add(key)
    return matches
  })
  if (!found || !isRight) {
    log.info({ event: 'sign_in_refused', user_id: found?.id })
    throw invalidCredentials()
  }
  if (isBanned(found)) throw userBanned(400)
  if (!found.email_confirmed_at)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed')

  const session = await db.transaction().execute(async (transaction) => {
    const user = await markSignedIn(transaction, found)
    if (!user) throw invalidCredentials()
    return startSession({ ...services, db: transaction }, user, 'password')
  })
  log.info({ event: 'sign_in', user_id: found.id })
  const weak_password = weaknessOf(password, services.auth.password_policy, email)
  return weak_password ? { ...session, weak_password } : session
}
