import { sql } from 'kysely'
import type { ApiKey } from '#contract/api-keys.ts'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import { isBanned } from '#server/auth/accounts/users.store.ts'
import type { Db } from '#server/db/database.ts'

const PUBLIC_COLUMNS = ['id', 'name', 'scope', 'created_at', 'last_used_at', 'expires_at'] as const
const isExpired = sql<boolean>`coalesce(api_keys.expires_at <= now(), false)`
/** SQL that is true if the last recorded use is over a minute old, so that a busy key causes few writes. */
const isDue = sql<boolean>`coalesce(api_keys.last_used_at < now() - interval '1 minute', true)`

/** Returns the keys of an account, newest first. */
export const listKeys = (db: Db, user_id: string): Promise<ApiKey[]> =>
  db
    .selectFrom('api_keys')
    .select(PUBLIC_COLUMNS)
    .select(isExpired.as('is_expired'))
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Returns the number of keys of an account, including expired ones. */
export const countKeys = async (db: Db, user_id: string): Promise<number> => {
  const { count } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Inserts the hash of a key with an optional expiry in days. */
export const insertKey = (
  db: Db,
  {
    expires_in_days,
    ...key
  }: {
    id: string
    user_id: string
    name: string
    scope: KeyScope
    key_hash: Buffer
    expires_in_days: number | null
  },
): Promise<ApiKey> =>
  db
    .insertInto('api_keys')
    .values({
      ...key,
      expires_at:
        expires_in_days === null ? null : sql`now() + make_interval(days => ${expires_in_days})`,
    })
    .returning(PUBLIC_COLUMNS)
    .returning(isExpired.as('is_expired'))
    .executeTakeFirstOrThrow()

/** Deletes a key of an account. Returns false if the account has no such key. */
export const deleteKey = async (
  db: Db,
  { id, user_id }: { id: string; user_id: string },
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all keys of an account. */
export const deleteKeys = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('api_keys').where('user_id', '=', user_id).execute()
}

/** Stored key of a call, with its current state. */
export type ShownKey = {
  id: string
  user_id: string
  scope: KeyScope
  is_expired: boolean
  /** True if the account is suspended. */
  is_blocked: boolean
  /** True if the use should be recorded. */
  is_due: boolean
}

/** Returns the key with this hash; undefined if it does not exist. */
export const findKey = async (db: Db, key_hash: Buffer): Promise<ShownKey | undefined> => {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.scope'])
    .select([isExpired.as('is_expired'), isDue.as('is_due')])
    .select(['users.banned_until', 'users.deleted_at'])
    .where('api_keys.key_hash', '=', key_hash)
    .executeTakeFirst()
  if (!row) return undefined
  const { banned_until, deleted_at, ...key } = row
  return { ...key, is_blocked: isBanned({ banned_until, deleted_at }) }
}

/** Records a use of a key unless another call did so within the minute. */
export const markKeyUsed = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()` })
    .where('id', '=', id)
    .where(isDue)
    .execute()
}
