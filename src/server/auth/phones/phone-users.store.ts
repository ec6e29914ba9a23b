import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { putPhoneIdentity } from '#server/auth/accounts/identities.store.ts'
import type { Metadata, User } from '#server/auth/accounts/users.store.ts'
import { deletePasswordOrigin } from '#server/auth/password/password-origins.store.ts'
import type { Db } from '#server/db/database.ts'

const PHONE_PROVIDER = { provider: 'phone', providers: ['phone'] }

/** Creates an unconfirmed account of a number. Returns undefined if the number is taken. */
export const insertPhoneUser = (
  db: Db,
  {
    phone,
    encrypted_password,
    data,
  }: { phone: string; encrypted_password: string | null; data: Metadata },
): Promise<User | undefined> => {
  const id = randomUUIDv7()
  const user_metadata = { ...data, sub: id, phone, email_verified: false, phone_verified: false }
  return db
    .insertInto('users')
    .values({
      id,
      email: null,
      phone,
      encrypted_password,
      confirmation_sent_at: sql`now()`,
      app_metadata: JSON.stringify(PHONE_PROVIDER),
      user_metadata: JSON.stringify(user_metadata),
    })
    .onConflict((conflict) => conflict.column('phone').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Sets the number of an account and marks it as confirmed. `drops_password` deletes the password. Throws a unique
 * violation if another account has the number.
 */
export const setPhone = async (
  db: Db,
  { id, is_anonymous, app_metadata }: User,
  {
    phone,
    drops_password = false,
    encrypted_password,
  }: { phone: string; drops_password?: boolean; encrypted_password?: string },
): Promise<User> => {
  const metadata = JSON.stringify({ phone, phone_verified: true })
  const user = await db
    .updateTable('users')
    .set({
      phone,
      phone_confirmed_at: sql`now()`,
      new_phone: null,
      is_anonymous: false,
      app_metadata: JSON.stringify(
        is_anonymous ? { ...app_metadata, ...PHONE_PROVIDER } : app_metadata,
      ),
      user_metadata: sql`user_metadata || ${metadata}::jsonb`,
      updated_at: sql`now()`,
      ...(encrypted_password !== undefined && { encrypted_password }),
      ...(drops_password && { encrypted_password: null }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = { sub: id, phone, email_verified: false, phone_verified: true }
  await putPhoneIdentity(db, id, data)
  await deletePasswordOrigin(db, id)
  return user
}

/** Stores a pending new number. */
export const setNewPhone = (db: Db, id: string, new_phone: string): Promise<User> =>
  db
    .updateTable('users')
    .set({ new_phone, phone_change_sent_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Returns the account whose pending new number this is; undefined if there is none. */
export const findUserByNewPhone = (db: Db, new_phone: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('new_phone', '=', new_phone).executeTakeFirst()
