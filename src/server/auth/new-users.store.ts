import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { putEmailIdentity } from './identities.store.ts'
import { mergeMetadata } from './metadata.ts'
import type { Metadata, User } from './users.store.ts'

export const EMAIL_PROVIDER = { provider: 'email', providers: ['email'] }

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
