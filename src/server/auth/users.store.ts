import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

export type User = Selectable<Tables['users']>
export type Identity = Selectable<Tables['identities']>
export type Metadata = Record<string, unknown>

/** The account of an address (lowercase). */
export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

/** An account, its row locked until the transaction ends. */
export const lockUser = (db: Db, id: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** True when the account still exists. */
export const hasUser = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** The account behind a session, while both exist. */
export const findUserOfSession = (
  db: Db,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<User | undefined> =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.id', '=', session_id)
    .where('users.id', '=', user_id)
    .executeTakeFirst()

/** Where an account comes from, oldest first. */
export const listIdentities = (db: Db, user_id: string): Promise<Identity[]> =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

type NewUser = {
  id: string
  identity_id: string
  email: string
  encrypted_password: string
  user_metadata: Metadata
  identity_data: Metadata
}

/** Makes a confirmed account with its e-mail identity; undefined when the address is taken. */
export const insertEmailUser = async (db: Db, user: NewUser): Promise<User | undefined> => {
  const inserted = await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      encrypted_password: user.encrypted_password,
      email_confirmed_at: sql`now()`,
      app_metadata: JSON.stringify({ provider: 'email', providers: ['email'] }),
      user_metadata: JSON.stringify(user.user_metadata),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!inserted) return undefined
  await db
    .insertInto('identities')
    .values({
      id: user.identity_id,
      user_id: user.id,
      provider: 'email',
      provider_id: user.id,
      identity_data: JSON.stringify(user.identity_data),
    })
    .execute()
  return inserted
}

/**
 * Notes a sign-in by password. Undefined when the account went, or its password changed, since that
 * password was checked.
 */
export const markSignedIn = async (
  db: Db,
  { id, encrypted_password }: Pick<User, 'id' | 'encrypted_password'>,
): Promise<User | undefined> => {
  const user = await db
    .updateTable('users')
    .set({ last_sign_in_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('encrypted_password', '=', encrypted_password)
    .returningAll()
    .executeTakeFirst()
  if (!user) return undefined
  await db
    .updateTable('identities')
    .set({ last_sign_in_at: sql`now()`, updated_at: sql`now()` })
    .where('user_id', '=', id)
    .where('provider', '=', 'email')
    .execute()
  return user
}

/** Stores what changed of an account. */
export const saveUser = (
  db: Db,
  {
    id,
    user_metadata,
    encrypted_password,
  }: Pick<User, 'id' | 'encrypted_password'> & {
    user_metadata: Metadata
  },
): Promise<User> =>
  db
    .updateTable('users')
    .set({
      encrypted_password,
      user_metadata: JSON.stringify(user_metadata),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
