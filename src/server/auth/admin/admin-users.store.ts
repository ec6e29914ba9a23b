import { sql } from 'kysely'
import {
  listIdentitiesOf,
  putEmailIdentity,
  putPhoneIdentity,
} from '#server/auth/accounts/identities.store.ts'
import { lockUser, type Metadata, type User } from '#server/auth/accounts/users.store.ts'
import { deleteKeys } from '#server/auth/api-keys/api-keys.store.ts'
import { type UserJson, userJson } from '#server/auth/auth-json.ts'
import { listFactorsOf } from '#server/auth/factors/factors.store.ts'
import { deletePasswordOrigin } from '#server/auth/password/password-origins.store.ts'
import { deleteReplyAddresses } from '#server/auth/reply-addresses/reply-addresses.store.ts'
import type { Db } from '#server/db/database.ts'

/** Returns a LIKE pattern for texts that contain `text`, with escaped wildcards. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns one page of accounts, newest first, and their total number. A filter matches address or full name. */
export const listUsers = async (
  db: Db,
  { page, per_page, filter }: { page: number; per_page: number; filter: string },
): Promise<{ users: UserJson[]; total: number }> => {
  const pattern = patternOf(filter)
  const matches = sql<boolean>`(email ilike ${pattern} or user_metadata->>'full_name' ilike ${pattern})`
  const matching = db.selectFrom('users').$if(filter !== '', (query) => query.where(matches))
  const rows = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute()
  const count = await matching
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const ids = rows.map(({ id }) => id)
  const identities = await listIdentitiesOf(db, ids)
  const factors = await listFactorsOf(db, ids)
  const users = rows.map((user) =>
    userJson(user, identities.get(user.id) ?? [], factors.get(user.id) ?? []),
  )
  return { users, total: Number(count.total) }
}

/** Returns an account by id. */
export const findUser = (db: Db, id: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the row of an administrator and of the account that they change, both locked in the order of their ids. */
export const lockActorAndTarget = async (
  db: Db,
  { actor_id, target_id }: { actor_id: string; target_id: string },
): Promise<{ actor: User | undefined; target: User | undefined }> => {
  // This lock waits for another administrator's change of the actor, but not for the actor's own sign-ins.
  const lockActor = () =>
    db.selectFrom('users').selectAll().where('id', '=', actor_id).forKeyShare().executeTakeFirst()
  if (actor_id < target_id)
    return { actor: await lockActor(), target: await lockUser(db, target_id) }
  const target = await lockUser(db, target_id)
  return { actor: await lockActor(), target }
}

type NewUser = Pick<User, 'id' | 'email' | 'phone' | 'encrypted_password' | 'app_metadata'> & {
  user_metadata: Metadata
  is_email_confirmed: boolean
  is_phone_confirmed: boolean
  banned_until: Date | null
}

/** Creates an account with identities for its address and number. Returns undefined if id, address or number is taken. */
export const insertUser = async (
  db: Db,
  { user_metadata, app_metadata, is_email_confirmed, is_phone_confirmed, ...plain }: NewUser,
): Promise<User | undefined> => {
  const inserted = await db
    .insertInto('users')
    .values({
      ...plain,
      email_confirmed_at: is_email_confirmed ? sql`now()` : null,
      email_proven_by: is_email_confirmed ? 'administrator' : null,
      phone_confirmed_at: is_phone_confirmed ? sql`now()` : null,
      user_metadata: JSON.stringify(user_metadata),
      app_metadata: JSON.stringify(app_metadata),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!inserted) return undefined
  const { id: sub, email, phone } = inserted
  const verified = { email_verified: is_email_confirmed, phone_verified: is_phone_confirmed }
  if (email) await putEmailIdentity(db, sub, { ...verified, sub, email, phone_verified: false })
  if (phone) await putPhoneIdentity(db, sub, { ...verified, sub, phone, email_verified: false })
  return inserted
}

/** Fields of an account that an administrator may set. */
export type AdminChanges = {
  email?: string
  phone?: string
  new_phone?: null
  phone_confirmed_at?: 'now' | null
  is_anonymous?: false
  encrypted_password?: string
  user_metadata?: Metadata
  app_metadata?: Metadata
  banned_until?: Date | null
  invited_at?: 'now'
}

/** Changes an account. A new password deletes the password origin, so that any browser may confirm the account. */
export const changeUser = async (db: Db, id: string, changes: AdminChanges): Promise<User> => {
  const { user_metadata, app_metadata, invited_at, phone_confirmed_at, ...plain } = changes
  if (plain.encrypted_password !== undefined) await deletePasswordOrigin(db, id)
  return db
    .updateTable('users')
    .set({
      ...plain,
      updated_at: sql`now()`,
      ...(user_metadata && { user_metadata: JSON.stringify(user_metadata) }),
      ...(app_metadata && { app_metadata: JSON.stringify(app_metadata) }),
      ...(phone_confirmed_at !== undefined && {
        phone_confirmed_at: phone_confirmed_at && sql`now()`,
      }),
      ...(invited_at && { invited_at: sql`now()`, confirmation_sent_at: sql`now()` }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes an account with all its content, including its questionnaires. */
export const deleteUser = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Erases the personal data of an account, keeps its content, and prevents sign-ins. */
export const forgetUser = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('sessions').where('user_id', '=', id).execute()
  await deleteKeys(db, id)
  await db.deleteFrom('identities').where('user_id', '=', id).execute()
  await db.deleteFrom('one_time_tokens').where('user_id', '=', id).execute()
  await db.deleteFrom('mail_jobs').where('user_id', '=', id).execute()
  await db.deleteFrom('known_networks').where('user_id', '=', id).execute()
  await db.deleteFrom('integration_connections').where('user_id', '=', id).execute()
  await db.deleteFrom('creator_settings').where('user_id', '=', id).execute()
  await deleteReplyAddresses(db, id)
  await db
    .updateTable('users')
    .set({
      email: null,
      new_email: null,
      phone: null,
      new_phone: null,
      encrypted_password: null,
      user_metadata: '{}',
      app_metadata: '{}',
      deleted_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
}
