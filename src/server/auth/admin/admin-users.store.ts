import { sql } from 'kysely'
import { listFactorsOf } from '#server/auth/factors/factors.store.ts'
import { listIdentitiesOf } from '#server/auth/identities.store.ts'
import type { Metadata, User } from '#server/auth/users.store.ts'
import { type UserJson, userJson } from '#server/auth/wire.ts'
import type { Db } from '#server/db/database.ts'

/** One page of all accounts, newest first, and how many there are. */
export const listUsers = async (
  db: Db,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ users: UserJson[]; total: number }> => {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute()
  const counted = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const ids = rows.map(({ id }) => id)
  const identities = await listIdentitiesOf(db, ids)
  const factors = await listFactorsOf(db, ids)
  const users = rows.map((user) =>
    userJson(user, identities.get(user.id) ?? [], factors.get(user.id) ?? []),
  )
  return { users, total: Number(counted.total) }
}

export const findUser = (db: Db, id: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** What an administrator may set of an account. */
export type AdminChanges = {
  email?: string
  encrypted_password?: string
  user_metadata?: Metadata
  app_metadata?: Metadata
  banned_until?: Date | null
  invited_at?: 'now'
}

export const changeUser = (db: Db, id: string, changes: AdminChanges): Promise<User> => {
  const { user_metadata, app_metadata, invited_at, ...plain } = changes
  return db
    .updateTable('users')
    .set({
      ...plain,
      updated_at: sql`now()`,
      ...(user_metadata && { user_metadata: JSON.stringify(user_metadata) }),
      ...(app_metadata && { app_metadata: JSON.stringify(app_metadata) }),
      ...(invited_at && { invited_at: sql`now()`, confirmation_sent_at: sql`now()` }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes an account away with all it made, its questionnaires included. */
export const deleteUser = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Keeps what an account made and forgets whose it was; nobody can sign in to it again. */
export const forgetUser = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('sessions').where('user_id', '=', id).execute()
  await db.deleteFrom('identities').where('user_id', '=', id).execute()
  await db.deleteFrom('one_time_tokens').where('user_id', '=', id).execute()
  await db.deleteFrom('mail_jobs').where('user_id', '=', id).execute()
  await db.deleteFrom('integration_connections').where('user_id', '=', id).execute()
  await db
    .updateTable('users')
    .set({
      email: null,
      new_email: null,
      encrypted_password: null,
      user_metadata: '{}',
      app_metadata: '{}',
      deleted_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
}
