import { audit } from '#server/audit/audit.ts'
import {
  clearUnusedPassword,
  insertEmailUser,
  type NewEmailUser,
  newEmailUser,
} from '#server/auth/accounts/email-accounts.store.ts'
import { listIdentities } from '#server/auth/accounts/identities.store.ts'
import { findUserByEmail, type Metadata, type User } from '#server/auth/accounts/users.store.ts'
import { type SignedUp, userJson } from '#server/auth/auth-json.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import { type PasswordOrigin, storePasswordOrigin } from './password-origins.store.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** Exception that rolls back a dry run. */
class Undone extends Error {}

/** Runs `make` and rolls it back, so that a refusal takes as long as a success. */
export const dryRun = async <Made>(
  db: Db,
  make: (transaction: Db) => Promise<Made | undefined>,
): Promise<Made> => {
  const run: { made?: Made | undefined } = {}
  try {
    await inTransaction(db, async (transaction) => {
      run.made = await make(transaction)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (!run.made) throw new Error('The dry run made nothing')
  return run.made
}

type Account = {
  email: string
  password: string
  data: Metadata
  code_challenge: string | undefined
}

/** Returns the answer to a sign-up with a known address, which looks like a new account. */
const decoyAccount = async (
  db: Db,
  made: NewEmailUser,
  password_origin: PasswordOrigin,
  askForMail: (db: Db, user_id: string) => Promise<void>,
): Promise<SignedUp> => {
  const user = await dryRun(db, async (transaction) => {
    const stranger = { ...made, email: `${made.id}@invalid` }
    const inserted = await insertEmailUser(transaction, stranger)
    if (inserted) {
      await storePasswordOrigin(transaction, inserted.id, password_origin)
      await askForMail(transaction, inserted.id)
    }
    return inserted
  })
  return { ...userJson({ ...user, email: made.email }, []), role: '' }
}

/**
 * Returns the hash for the password of a sign-up: the existing hash of a pending account for the same password, null
 * for another. Each case hashes once.
 */
export const hashSignUpPassword = async (
  password: string,
  waiting: Pick<User, 'encrypted_password'> | undefined,
): Promise<string | null> => {
  const stored = waiting?.encrypted_password
  if (!stored) return hashPassword(password)
  return (await isPassword(password, stored)) ? stored : null
}

/**
 * Keeps the password of a pending account only if every sign-up used it, because its owner is unknown otherwise.
 * Without it, the owner chooses one after confirmation.
 */
export const keepPasswordIfSame = async (
  db: Db,
  found: User,
  {
    encrypted_password,
    password_origin,
  }: { encrypted_password: string | null; password_origin: PasswordOrigin },
): Promise<void> => {
  if (found.encrypted_password !== encrypted_password) await clearUnusedPassword(db, found.id)
  else if (encrypted_password !== null) await storePasswordOrigin(db, found.id, password_origin)
}

/**
 * Creates an account to be confirmed, or finds the pending one, which loses a differing password. A confirmed address
 * gives the same answer after the same work.
 */
export const signUpToConfirm = async (
  services: Services,
  { email, password, data, code_challenge }: Account,
  askForMail: (db: Db, user_id: string) => Promise<void>,
): Promise<SignedUp> => {
  const { db, hashing, mailer, mailRateLimit, network, browser } = services
  const password_origin = { browser, code_challenge }
  await mailRateLimit.check({ kind: 'confirmation', who: email, network })
  const known = await findUserByEmail(db, email)
  const waiting = known?.email_confirmed_at ? undefined : known
  const encrypted_password = await hashing(() => hashSignUpPassword(password, waiting))
  const made = newEmailUser({ email, encrypted_password, data, is_confirmed: false })
  if (known?.email_confirmed_at) return decoyAccount(db, made, password_origin, askForMail)

  const { user, identities } = await inTransaction(db, async (transaction) => {
    const inserted = await insertEmailUser(transaction, made)
    const user = inserted ?? (await findUserByEmail(transaction, email))
    if (!user) throw new Error('The account went while it was signed up again')
    await keepPasswordIfSame(transaction, user, { encrypted_password, password_origin })
    await askForMail(transaction, user.id)
    return { user, identities: await listIdentities(transaction, user.id) }
  })
  mailer.wake()
  if (user.email_confirmed_at) return decoyAccount(db, made, password_origin, askForMail)
  audit('sign_up', { actor_id: user.id, email, detail: 'to_confirm' })
  return userJson(user, identities)
}
