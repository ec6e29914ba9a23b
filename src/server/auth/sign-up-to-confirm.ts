import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { listIdentities } from './identities.store.ts'
import { inTransaction } from './in-transaction.ts'
import { insertEmailUser, type NewEmailUser, newEmailUser } from './new-users.store.ts'
import { hashPassword } from './passwords.ts'
import { pretend } from './pretend.ts'
import type { Services } from './services.ts'
import { findUserByEmail, type Metadata, saveUser, type User } from './users.store.ts'
import { type UserJson, userJson } from './wire.ts'

export type SignedUp = Omit<UserJson, 'role'> & { role: string }

type Account = { email: string; password: string; data: Metadata }

/** What somebody who signs up with a confirmed address is answered: an account that does not exist. */
const lookAlike = async (
  db: Db,
  made: NewEmailUser,
  askForMail: (db: Db, user_id: string) => Promise<void>,
): Promise<SignedUp> => {
  const user = await pretend(db, async (transaction) => {
    const stranger = { ...made, email: `${made.id}@invalid` }
    const inserted = await insertEmailUser(transaction, stranger)
    if (inserted) await askForMail(transaction, inserted.id)
    return inserted
  })
  return { ...userJson({ ...user, email: made.email }, []), role: '' }
}

/** The first password of an account that waits without one, as an invited one does. */
const givePassword = async (db: Db, user: User, encrypted_password: string): Promise<User> =>
  user.encrypted_password === null && !user.email_confirmed_at
    ? saveUser(db, { ...user, encrypted_password })
    : user

/**
 * Makes an account that must be confirmed, or finds the one that waits to be; its password stays the
 * first one. A confirmed address is answered like a new one, after the same work.
 */
export const signUpToConfirm = async (
  services: Services,
  { email, password, data }: Account,
  askForMail: (db: Db, user_id: string) => Promise<void>,
): Promise<SignedUp> => {
  const { db, hashing, mailer, mailPace, network } = services
  await mailPace.check({ kind: 'confirmation', who: email, network })
  const encrypted_password = await hashing(() => hashPassword(password))
  const made = newEmailUser({ email, encrypted_password, data, is_confirmed: false })
  const known = await findUserByEmail(db, email)
  if (known?.email_confirmed_at) return lookAlike(db, made, askForMail)

  const { user, identities } = await inTransaction(db, async (transaction) => {
    const inserted = await insertEmailUser(transaction, made)
    const found = inserted ?? (await findUserByEmail(transaction, email))
    if (!found) throw new Error('The account went while it was signed up again')
    const user = await givePassword(transaction, found, encrypted_password)
    await askForMail(transaction, user.id)
    return { user, identities: await listIdentities(transaction, user.id) }
  })
  mailer.wake()
  if (user.email_confirmed_at) return lookAlike(db, made, askForMail)
  audit('sign_up', { actor_id: user.id, email, detail: 'to_confirm' })
  return userJson(user, identities)
}
