import { audit } from '#server/audit/audit.ts'
import { checkMetadata, readEmail } from '#server/auth/accounts/account-fields.ts'
import {
  confirmUser,
  insertAnonymousUser,
  insertEmailUser,
  newEmailUser,
} from '#server/auth/accounts/email-accounts.store.ts'
import { requireOpenSignUp } from '#server/auth/accounts/sign-up-mode.store.ts'
import {
  findUserByEmail,
  isInUse,
  lockUser,
  type Metadata,
  markSignedIn,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { AuthError, passwordsDisabled, validationFailed } from '#server/auth/auth-error.ts'
import type { SessionJson, SignedUp } from '#server/auth/auth-json.ts'
import { readChallenge } from '#server/auth/email-links/pkce.ts'
import type { SignUpBody } from '#server/auth/request-bodies.ts'
import { inTransaction, requirePhones, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import type { Db } from '#server/db/database.ts'
import { enqueueMail, type MailDetails } from '#server/mails/mail-jobs.store.ts'
import { checkNewPassword } from './password-policy.ts'
import { hashPassword } from './passwords.ts'
import { signUpToConfirm } from './sign-up-to-confirm.ts'

const userExists = (): AuthError =>
  new AuthError(422, 'user_already_exists', 'User already registered')

/** Validates a sign-up in the order that clients expect. */
const checkSignUp = async (
  services: Services,
  { email, phone, password }: SignUpBody,
): Promise<{ email: string; phone: string; password: string }> => {
  const { auth } = services
  await requireOpenSignUp(services)
  if (!auth.has_passwords) throw passwordsDisabled()
  if (!password) throw validationFailed('Signup requires a valid password')
  checkNewPassword(password, auth.password_policy, email ?? '')
  if (email && phone)
    throw validationFailed('Only an email address or phone number should be provided')
  if (!email && !auth.has_phones)
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  return { email: email ? readEmail(email) : '', phone: phone ?? '', password }
}

/** Confirms an unused account and sets its password. Throws 422 `user_already_exists` if the account is in use. */
const confirmUnused = async (db: Db, email: string, encrypted_password: string): Promise<User> => {
  const found = await findUserByEmail(db, email)
  const user = found && (await lockUser(db, found.id))
  if (user?.email !== email || isInUse(user)) throw userExists()
  return confirmUser(db, user.id, { proven_by: null, encrypted_password })
}

/** Creates a confirmed account, or confirms an unused one, and signs in. */
const signUpConfirmed = async (
  services: Services,
  { email, password, data }: { email: string; password: string; data: Metadata },
): Promise<SessionJson> => {
  const known = await findUserByEmail(services.db, email)
  if (known && isInUse(known)) throw userExists()
  const encrypted_password = await services.hashing(() => hashPassword(password))
  return inTransaction(services.db, async (db) => {
    const made = newEmailUser({ email, encrypted_password, data, is_confirmed: true })
    const inserted = await insertEmailUser(db, made)
    const account = inserted ?? (await confirmUnused(db, email, encrypted_password))
    const user = account && (await markSignedIn(db, account))
    if (!user) throw userExists()
    return startSession({ ...services, db }, user, 'password')
  })
}

/** Creates an anonymous account and signs in. Throws 422 `anonymous_provider_disabled` if anonymous accounts are off. */
const signUpAnonymously = async (services: Services, data: Metadata): Promise<SessionJson> => {
  if (!services.auth.can_be_anonymous)
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  await requireOpenSignUp(services)
  checkMetadata(data)
  const session = await inTransaction(services.db, async (db) => {
    const user = await insertAnonymousUser(db, data)
    return startSession({ ...services, db }, user, 'anonymous')
  })
  audit('sign_up', { actor_id: session.user.id, detail: 'anonymous' })
  return session
}

/**
 * Creates an account and returns a session if accounts are confirmed automatically. Otherwise queues a confirmation mail
 * and answers known addresses in the same way. Throws 422 `user_already_exists`, `weak_password`, `signup_disabled`.
 */
export const signUp = async (
  services: Services,
  body: SignUpBody,
  redirect_to: string,
): Promise<SessionJson | SignedUp> => {
  const data = body.data ?? {}
  if (!body.email && !body.phone) return signUpAnonymously(services, data)
  const { email, phone, password } = await checkSignUp(services, body)
  if (phone) {
    if (body.code_challenge) throw validationFailed('PKCE not supported for phone signups')
    return requirePhones(services).signUp(services, { phone, password, data })
  }
  const details: MailDetails = { redirect_to, ...readChallenge(body) }
  // The size includes the fields that `newEmailUser` adds.
  checkMetadata(
    newEmailUser({ email, encrypted_password: null, data, is_confirmed: true }).user_metadata,
  )
  if (!services.auth.is_autoconfirmed)
    return signUpToConfirm(
      services,
      { email, password, data, code_challenge: details.code_challenge },
      (db, user_id) => enqueueMail(db, { kind: 'confirmation', email, user_id, details }),
    )
  const session = await signUpConfirmed(services, { email, password, data })
  audit('sign_up', { actor_id: session.user.id, email })
  return session
}
