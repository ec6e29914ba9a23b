import { randomUUIDv7 } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

/** Stored identity of an account: email, phone, or an account at an external provider. */
export type Identity = Selectable<Tables['identities']>

/** Returns the identities of accounts, oldest first; email before phone if they were created together. */
const listOf = (db: Db, user_ids: string[]): Promise<Identity[]> =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', 'in', user_ids)
    .orderBy('created_at')
    .orderBy('provider')
    .orderBy('id')
    .execute()

/** Returns the identities of an account, oldest first. */
export const listIdentities = (db: Db, user_id: string): Promise<Identity[]> =>
  listOf(db, [user_id])

/** Returns the identities of several accounts, grouped by account id. */
export const listIdentitiesOf = async (
  db: Db,
  user_ids: string[],
): Promise<Map<string, Identity[]>> => {
  const all = user_ids.length === 0 ? [] : await listOf(db, user_ids)
  return Map.groupBy(all, ({ user_id }) => user_id)
}

/** Creates the email or phone identity of an account, or merges its data. Its `provider_id` is the account id. */
const putOwnIdentity = async (
  db: Db,
  { user_id, provider, data }: { user_id: string; provider: 'email' | 'phone'; data: object },
): Promise<void> => {
  const identity_data = JSON.stringify(data)
  await db
    .insertInto('identities')
    .values({ id: randomUUIDv7(), user_id, provider, provider_id: user_id, identity_data })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'provider_id']).doUpdateSet({
        identity_data: sql`identities.identity_data || ${identity_data}::jsonb`,
        updated_at: sql`now()`,
      }),
    )
    .execute()
}

/** Creates the email identity of an account, or merges its data. */
export const putEmailIdentity = (db: Db, user_id: string, data: object): Promise<void> =>
  putOwnIdentity(db, { user_id, provider: 'email', data })

/** Creates the phone identity of an account, or merges its data. */
export const putPhoneIdentity = (db: Db, user_id: string, data: object): Promise<void> =>
  putOwnIdentity(db, { user_id, provider: 'phone', data })

/** Records a sign-in with the email identity. */
export const markIdentityUsed = async (db: Db, user_id: string): Promise<void> => {
  await db
    .updateTable('identities')
    .set({ last_sign_in_at: sql`now()`, updated_at: sql`now()` })
    .where('user_id', '=', user_id)
    .where('provider', '=', 'email')
    .execute()
}
