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

/** Error that rolls back the transaction of a dry run. */
class RolledBack extends Error {}

/** Runs `make` in a transaction, rolls it back and returns its result, so that a refusal takes as long as a success. */
export const dryRun = async <Made>(
  db: Db,
  make: (transaction: Db) => Promise<Made | undefined>,
): Promise<Made> => {
  const run: { result?: Made | undefined } = {}
  try {
    await inTransaction(db, async (transaction) => {
      run.result = await make(transaction)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  if (!run.result) throw new Error('The dry run returned nothing')
  return run.result
}

type Account = {
  email: string
  password: string
  data: Metadata
  code_challenge: string | undefined
}

/** Returns the answer of a successful sign-up without storing an account, because the address already has one. */
const simulateSignUp = async (
  db: Db,
  made: NewEmailUser,
  password_origin: PasswordOrigin,
  askForMail: (db: Db, user_id: string) => Promise<void>,
): Promise<SignedUp> => {
  const user = await dryRun(db, async (transaction) => {
    const decoy = { ...made, email: `${made.id}@invalid` }
    const inserted = await insertEmailUser(transaction, decoy)
    if (inserted) {
      await storePasswordOrigin(transaction, inserted.id, password_origin)
      await askForMail(transaction, inserted.id)
    }
    return inserted
  })
  return { ...userJson({ ...user, email: made.email }, []), role: '' }
}

/**
 * Returns the hash of a sign-up's password. If a pending account has a password, returns its hash for an equal password
 * and null for a different one. Each case computes one hash, so that the time does not reveal the case.
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
 * Deletes the password of a pending account if a further sign-up used another password, because either person may own the
 * address. The owner then chooses a password after the confirmation.
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
 * Creates an unconfirmed account, or repeats the sign-up of a pending one (`keepPasswordIfSame`). Returns an equal answer
 * after equal work for a confirmed address, so that the answer does not reveal accounts.
 */
export const signUpToConfirm = async (
  services: Services,
  { email, password, data, code_challenge }: Account,
  askForMail: (db: Db, user_id: string) => Promise<void>,
): Promise<SignedUp> => {
  const { db, hashing, mailer, mailRateLimit, network, browser } = services
  const password_origin = { browser, code_challenge }
  await mailRateLimit.check({ kind: 'confirmation', pause_key: email, network })
  const known = await findUserByEmail(db, email)
  const waiting = known?.email_confirmed_at ? undefined : known
  const encrypted_password = await hashing(() => hashSignUpPassword(password, waiting))
  const made = newEmailUser({ email, encrypted_password, data, is_confirmed: false })
  if (known?.email_confirmed_at) return simulateSignUp(db, made, password_origin, askForMail)

  const { user, identities } = await inTransaction(db, async (transaction) => {
    const inserted = await insertEmailUser(transaction, made)
    const user = inserted ?? (await findUserByEmail(transaction, email))
    if (!user) throw new Error('The account was deleted during a repeated sign-up')
    await keepPasswordIfSame(transaction, user, { encrypted_password, password_origin })
    await askForMail(transaction, user.id)
    return { user, identities: await listIdentities(transaction, user.id) }
  })
  mailer.wake()
  if (user.email_confirmed_at) return simulateSignUp(db, made, password_origin, askForMail)
  audit('sign_up', { actor_id: user.id, email, detail: 'to_confirm' })
  return userJson(user, identities)
}
