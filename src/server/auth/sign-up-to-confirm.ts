import type { Db } from '#server/db/database.ts'
import { listIdentities } from './identities.store.ts'
import { insertEmailUser, newEmailUser } from './new-users.store.ts'
import { hashPassword } from './passwords.ts'
import type { Services } from './services.ts'
import { findUserByEmail, type Metadata, saveUser, type User } from './users.store.ts'
import { type UserJson, userJson } from './wire.ts'

export type SignedUp = Omit<UserJson, 'role'> & { role: string }

type Account = { email: string; password: string; data: Metadata }

/** Ends a transaction whose rows were only written to take their time. */
class Undone extends Error {}

/** Writes an account and its mail as for an unknown address, and takes them back. */
const pretend = async (
  db: Db,
  made: Parameters<typeof insertEmailUser>[1],
  askForMail: (db: Db, user_id: string) => Promise<void>,
): Promise<User> => {
  const pretended: { user?: User } = {}
  try {
    await db.transaction().execute(async (transaction) => {
      const user = await insertEmailUser(transaction, { ...made, email: `${made.id}@invalid` })
      if (!user) throw new Error('A random address was taken')
      await askForMail(transaction, user.id)
      pretended.user = user
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (!pretended.user) throw new Error('Nothing was pretended')
  return pretended.user
}

/** What somebody who signs up with a confirmed address is answered: an account that does not exist. */
const lookAlike = (user: User, email: string): SignedUp => ({
  ...userJson({ ...user, email }, []),
  role: '',
})

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
  const { db, hashing, log, mailer, mailPace } = services
  mailPace.check('confirmation', email)
  const encrypted_password = await hashing(() => hashPassword(password))
  const made = newEmailUser({ email, encrypted_password, data, is_confirmed: false })
  const known = await findUserByEmail(db, email)
  if (known?.email_confirmed_at) return lookAlike(await pretend(db, made, askForMail), email)

  const { user, identities } = await db.transaction().execute(async (transaction) => {
    const inserted = await insertEmailUser(transaction, made)
    const found = inserted ?? (await findUserByEmail(transaction, email))
    if (!found) throw new Error('The account went while it was signed up again')
    const user = await givePassword(transaction, found, encrypted_password)
    await askForMail(transaction, user.id)
    return { user, identities: await listIdentities(transaction, user.id) }
  })
  mailer.wake()
  if (user.email_confirmed_at) return lookAlike(await pretend(db, made, askForMail), email)
  log.info({ event: 'sign_up', user_id: user.id })
  return userJson(user, identities)
}
