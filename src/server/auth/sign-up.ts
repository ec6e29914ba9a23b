import { randomUUIDv7 } from 'node:crypto'
import { AuthError, validationFailed } from './auth-error.ts'
import { readEmail } from './email-address.ts'
import { checkMetadata, mergeMetadata } from './metadata.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import type { Services } from './services.ts'
import { startSession } from './start-session.ts'
import { findUserByEmail, insertEmailUser, type Metadata, markSignedIn } from './users.store.ts'
import type { SessionJson } from './wire.ts'

type SignUp = {
  email?: string | null
  phone?: string | null
  password?: string | null
  data?: Metadata | null
}

const userExists = (): AuthError =>
  new AuthError(422, 'user_already_exists', 'User already registered')

/** Checks a sign-up in the order its clients expect the refusals. */
const checkSignUp = ({ email, phone, password }: SignUp): { email: string; password: string } => {
  if (!email && !phone)
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  if (!password) throw validationFailed('Signup requires a valid password')
  checkNewPassword(password)
  if (email && phone)
    throw validationFailed('Only an email address or phone number should be provided')
  if (!email) throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  return { email: readEmail(email), password }
}

/**
 * Makes an account that is confirmed at once and signs it in (decisions « Configuration »: no SMTP_URL).
 * 422 `user_already_exists` for a known address, `weak_password` for a short password.
 */
export const signUp = async (services: Services, body: SignUp): Promise<SessionJson> => {
  const { email, password } = checkSignUp(body)
  const id = randomUUIDv7()
  const identity = { sub: id, email, email_verified: false, phone_verified: false }
  const user_metadata = mergeMetadata(body.data ?? {}, { ...identity, email_verified: true })
  checkMetadata(user_metadata)
  if (await findUserByEmail(services.db, email)) throw userExists()
  const encrypted_password = await services.hashing(() => hashPassword(password))
  const session = await services.db.transaction().execute(async (db) => {
    const inserted = await insertEmailUser(db, {
      id,
      identity_id: randomUUIDv7(),
      email,
      encrypted_password,
      user_metadata,
      identity_data: mergeMetadata(body.data ?? {}, identity),
    })
    const user = inserted && (await markSignedIn(db, inserted))
    if (!user) throw userExists()
    return startSession({ ...services, db }, user)
  })
  services.log.info({ event: 'sign_up', user_id: id })
  return session
}
