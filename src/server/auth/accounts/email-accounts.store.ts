import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { deleteKeys } from '#server/auth/api-keys/api-keys.store.ts'
import { deletePasswordOrigin } from '#server/auth/password/password-origins.store.ts'
import { deleteSessions } from '#server/auth/sessions/sessions.store.ts'
import type { Db } from '#server/db/database.ts'
import type { EmailProof } from '#server/db/tables.ts'
import { mergeMetadata } from './account-fields.ts'
import { putEmailIdentity } from './identities.store.ts'
import type { Metadata, User } from './users.store.ts'

const EMAIL_PROVIDER = { provider: 'email', providers: ['email'] }

/** New account with an email address. */
export type NewEmailUser = {
  id: string
  email: string
  encrypted_password: string | null
  is_confirmed: boolean
  user_metadata: Metadata
  identity_data: Metadata
}

/** Returns a new account with an email address. The user metadata also contain the data of the email identity. */
export const newEmailUser = ({
  email,
  encrypted_password,
  data,
  is_confirmed,
}: {
  email: string
  encrypted_password: string | null
  data: Metadata
  is_confirmed: boolean
}): NewEmailUser => {
  const id = randomUUIDv7()
  const identity = { sub: id, email, email_verified: false, phone_verified: false }
  return {
    id,
    email,
    encrypted_password,
    is_confirmed,
    user_metadata: mergeMetadata(data, { ...identity, email_verified: is_confirmed }),
    identity_data: mergeMetadata(data, identity),
  }
}

/** Creates an account with its email identity. Returns undefined if the address is taken. */
export const insertEmailUser = async (db: Db, user: NewEmailUser): Promise<User | undefined> => {
  const inserted = await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      encrypted_password: user.encrypted_password,
      email_confirmed_at: user.is_confirmed ? sql`now()` : null,
      confirmation_sent_at: user.is_confirmed ? null : sql`now()`,
      app_metadata: JSON.stringify(EMAIL_PROVIDER),
      user_metadata: JSON.stringify(user.user_metadata),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (inserted) await putEmailIdentity(db, user.id, user.identity_data)
  return inserted
}

/** Creates an account without an email address. */
export const insertAnonymousUser = (db: Db, user_metadata: Metadata): Promise<User> =>
  db
    .insertInto('users')
    .values({
      id: randomUUIDv7(),
      email: null,
      encrypted_password: null,
      is_anonymous: true,
      last_sign_in_at: sql`now()`,
      user_metadata: JSON.stringify(user_metadata),
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Confirms the address of an account. `proven_by` is the proof that the person owns the address; null if there is none.
 * `drops_password` deletes the password, all sessions and all API keys.
 */
export const confirmUser = async (
  db: Db,
  id: string,
  {
    proven_by,
    drops_password = false,
    encrypted_password,
  }: {
    proven_by: EmailProof | null
    drops_password?: boolean
    encrypted_password?: string
  },
): Promise<User> => {
  const password = drops_password ? null : encrypted_password
  if (drops_password) {
    await deleteSessions(db, { user_id: id })
    await deleteKeys(db, id)
  }
  const user = await db
    .updateTable('users')
    .set({
      email_confirmed_at: sql`coalesce(email_confirmed_at, now())`,
      email_proven_by: sql`coalesce(email_proven_by, ${proven_by})`,
      user_metadata: sql`user_metadata || '{"email_verified": true}'`,
      updated_at: sql`now()`,
      ...(password !== undefined && { encrypted_password: password }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await putEmailIdentity(db, id, { email_verified: user.email_proven_by !== null })
  await deletePasswordOrigin(db, id)
  return user
}

/** Deletes the password of an account that was never confirmed or used, because a stranger may have chosen it. */
export const clearUnusedPassword = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('users')
    .set({ encrypted_password: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('encrypted_password', 'is not', null)
    .where('email_confirmed_at', 'is', null)
    .where('phone_confirmed_at', 'is', null)
    .where('last_sign_in_at', 'is', null)
    .execute()
}

/** Restores the withheld password of a sign-up, unless the account has a password. The caller verified the client. */
export const restorePassword = async (
  db: Db,
  id: string,
  encrypted_password: string,
): Promise<void> => {
  await db
    .updateTable('users')
    .set({ encrypted_password, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('encrypted_password', 'is', null)
    .execute()
}

/** Stores a pending new address. Both addresses must confirm the change. */
export const setNewEmail = (db: Db, id: string, new_email: string): Promise<User> =>
  db
    .updateTable('users')
    .set({
      new_email,
      email_change_confirmed_by: null,
      email_change_sent_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Records that one of the two addresses has confirmed the change. */
export const markHalfConfirmed = async (
  db: Db,
  id: string,
  email_change_confirmed_by: 'current' | 'new',
): Promise<void> => {
  await db
    .updateTable('users')
    .set({ email_change_confirmed_by, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Replaces the address of an account with its confirmed new one; an anonymous account becomes an ordinary one. Throws
 * a unique violation if the address is taken.
 */
export const replaceEmail = async (
  db: Db,
  { id, is_anonymous, app_metadata }: Pick<User, 'id' | 'is_anonymous' | 'app_metadata'>,
  email: string,
  proven_by: EmailProof | null,
): Promise<User> => {
  const metadata: Metadata = { sub: id, email, email_verified: true, phone_verified: false }
  const user = await db
    .updateTable('users')
    .set({
      email,
      email_confirmed_at: sql`now()`,
      email_proven_by: proven_by,
      new_email: null,
      email_change_confirmed_by: null,
      is_anonymous: false,
      app_metadata: JSON.stringify(
        is_anonymous ? { ...app_metadata, ...EMAIL_PROVIDER } : app_metadata,
      ),
      user_metadata: sql`user_metadata || ${JSON.stringify(metadata)}::jsonb`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await putEmailIdentity(db, id, { ...metadata, email_verified: proven_by !== null })
  return user
}
