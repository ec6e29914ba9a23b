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

export type NewEmailUser = {
  id: string
  email: string
  encrypted_password: string | null
  is_confirmed: boolean
  user_metadata: Metadata
  identity_data: Metadata
}

/** What an account with an address begins with; the identity's data is copied into the metadata. */
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

/** Makes an account with its e-mail identity; undefined when the address is taken. */
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

/** Makes an account without an address. */
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
 * The address of an account counts as confirmed, and as proven when `proven_by` says how. With
 * `drops_password` the password that was chosen before stops working, and every session and API key ends.
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

/**
 * Takes the password away from an account that was never confirmed nor used: nothing shows that its
 * owner chose it.
 */
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

/** The password of a sign-up whose client has shown itself to be the same, unless another was chosen since. */
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

/** An address waits to become the account's; both addresses must confirm it from the beginning. */
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

/** One of the two addresses has confirmed the change. */
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
 * Gives an account its new, confirmed address; an anonymous one is an ordinary one from now on. Its identity
 * says whether the address was shown to be theirs. Fails with a unique violation when another
 * account has taken it.
 */
export const replaceEmail = async (
  db: Db,
  { id, is_anonymous, app_metadata }: Pick<User, 'id' | 'is_anonymous' | 'app_metadata'>,
  email: string,
  proven_by: EmailProof | null,
): Promise<User> => {
  const shown: Metadata = { sub: id, email, email_verified: true, phone_verified: false }
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
      user_metadata: sql`user_metadata || ${JSON.stringify(shown)}::jsonb`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await putEmailIdentity(db, id, { ...shown, email_verified: proven_by !== null })
  return user
}
