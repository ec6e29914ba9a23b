import { normalizeAccountEmail } from '#domain/accounts/account-email.ts'
import { audit } from '#server/audit/audit.ts'
import { readE164Digits } from '#server/auth/accounts/phone-number.ts'
import {
  findUserByEmail,
  findUserByPhone,
  isBanned,
  markSignedIn,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { countAttempt } from '#server/auth/attempts.ts'
import {
  AuthError,
  invalidCredentials,
  passwordsDisabled,
  userBanned,
  validationFailed,
} from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import type { Db } from '#server/db/database.ts'
import { weaknessOf } from './password-policy.ts'
import { DUMMY_HASH, hashPassword, isBcrypt, isPassword } from './passwords.ts'

type SignIn = { email?: string | null; phone?: string | null; password?: string | null }

type Name = { email: string } | { phone: string }

const checkSignIn = (
  { auth }: Services,
  { email, phone, password }: SignIn,
): { name: Name; password: string } => {
  if (!auth.has_passwords) throw passwordsDisabled()
  if (email && phone)
    throw validationFailed('Only an email address or phone number should be provided')
  if (phone && !auth.has_phones)
    throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled')
  if (phone) return { name: { phone: readE164Digits(phone) }, password: password ?? '' }
  if (!email) throw validationFailed('missing email or phone')
  return { name: { email: normalizeAccountEmail(email) }, password: password ?? '' }
}

const findUserByName = (db: Db, name: Name): Promise<User | undefined> =>
  'email' in name ? findUserByEmail(db, name.email) : findUserByPhone(db, name.phone)

/** Throws 400 if the address or number of the sign-in is not confirmed. */
const checkConfirmed = (user: User, name: Name): void => {
  if ('phone' in name && !user.phone_confirmed_at)
    throw new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed')
  if ('email' in name && !user.email_confirmed_at)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed')
}

/**
 * Signs in by address or number and password. Throws 400 `invalid_credentials` for unknown accounts and wrong passwords
 * after equal computing time, so that the time does not reveal accounts. Throws 422 where AUTH_PASSWORDS is off. Throws 429 after too many wrong passwords from the
 * network of `ip` or for the account.
 */
export const signIn = async (
  services: Services,
  body: SignIn,
  ip: string,
): Promise<SessionJson> => {
  const { db, hashing, wrongPasswords } = services
  const { name, password } = checkSignIn(services, body)
  const text = 'email' in name ? name.email : name.phone
  const key = wrongPasswords?.keyOf(text, ip) ?? ''
  const found = await findUserByName(db, name)

  // The delay is checked after the wait in the queue, so that it includes wrong passwords of calls that ran meanwhile.
  const isCorrect = await hashing(async () => {
    wrongPasswords?.check(key)
    const target = found ? { user_id: found.id } : { name: text }
    const uncountAttempt = wrongPasswords && (await countAttempt(services, 'password', target))
    const matches = await isPassword(password, found?.encrypted_password ?? DUMMY_HASH)
    if (matches && found) {
      wrongPasswords?.forget(key)
      await uncountAttempt?.(db)
    } else wrongPasswords?.add(key)
    return matches
  })
  if (!found || !isCorrect) {
    audit('sign_in_refused', { object_id: found?.id, email: text, outcome: 'refused' })
    throw invalidCredentials()
  }
  if (isBanned(found)) throw userBanned(400)
  checkConfirmed(found, name)

  const isImported = isBcrypt(found.encrypted_password ?? '')
  const renewed = isImported ? await hashing(() => hashPassword(password)) : undefined
  const session = await inTransaction(db, async (transaction) => {
    const user = await markSignedIn(transaction, found, renewed)
    return user && startSession({ ...services, db: transaction }, user, 'password')
  })
  // A concurrent sign-in upgraded the hash, so the check is repeated.
  if (!session && isImported) return signIn(services, body, ip)
  if (!session) throw invalidCredentials()
  audit('sign_in', { actor_id: found.id, detail: 'password' })
  const weak_password = weaknessOf(password, services.auth.password_policy, text)
  return weak_password ? { ...session, weak_password } : session
}
