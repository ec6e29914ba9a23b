import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { OneTimeType, Tables } from '#server/db/tables.ts'

/** Stored token of a mailed link and code. */
export type OneTimeToken = Selectable<Tables['one_time_tokens']>

/** Lifetime of a link and its code. */
const MAIL_MAX_AGE = sql`interval '1 hour'`
/** Maximum attempts at a code. The link of the same mail stays valid afterwards. */
const MAX_WRONG_CODES = 5

/** Lifetime of a code by text message. The lifetime is short, because text messages arrive at once. */
const TEXT_MAX_AGE = sql`interval '5 minutes'`

const isNotExpired = sql<boolean>`one_time_tokens.created_at > now() -
  case when one_time_tokens.type like 'phone%' then ${TEXT_MAX_AGE} else ${MAIL_MAX_AGE} end`

type NewToken = Pick<
  OneTimeToken,
  'user_id' | 'type' | 'relates_to' | 'link_hash' | 'code_hash' | 'drops_password' | 'flow_id'
>

/** Stores a token and replaces the previous token of the same user and type. */
export const putToken = async (db: Db, token: NewToken): Promise<void> => {
  await db
    .insertInto('one_time_tokens')
    .values(token)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'type']).doUpdateSet((row) => ({
        relates_to: row.ref('excluded.relates_to'),
        link_hash: row.ref('excluded.link_hash'),
        code_hash: row.ref('excluded.code_hash'),
        drops_password: row.ref('excluded.drops_password'),
        flow_id: row.ref('excluded.flow_id'),
        wrong_codes: 0,
        created_at: sql`now()`,
      })),
    )
    .execute()
}

/** Returns the valid token of a link, if it has one of these types. */
export const findTokenOfLink = (
  db: Db,
  link_hash: Buffer,
  types: OneTimeType[],
): Promise<OneTimeToken | undefined> =>
  db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('link_hash', '=', link_hash)
    .where('type', 'in', types)
    .where(isNotExpired)
    .executeTakeFirst()

/**
 * Counts an attempt at each valid token of an address or user and returns these tokens. The attempt is counted before
 * the comparison, so that parallel attempts cannot exceed the limit.
 */
export const tryCodes = (
  db: Db,
  owner: { relates_to: string } | { user_id: string },
  types: OneTimeType[],
): Promise<OneTimeToken[]> => {
  const counted = db
    .updateTable('one_time_tokens')
    .set({ wrong_codes: sql`wrong_codes + 1` })
    .where('type', 'in', types)
    .where('wrong_codes', '<', MAX_WRONG_CODES)
    .where(isNotExpired)
  const found =
    'user_id' in owner
      ? counted.where('user_id', '=', owner.user_id)
      : counted.where('relates_to', '=', owner.relates_to)
  return found.returningAll().execute()
}

/** Returns the recipient of a valid token of a user; null without one. */
export const findPendingRecipient = async (
  db: Db,
  user_id: string,
  type: OneTimeType,
): Promise<string | null> => {
  const token = await db
    .selectFrom('one_time_tokens')
    .select('relates_to')
    .where('user_id', '=', user_id)
    .where('type', '=', type)
    .where('wrong_codes', '<', MAX_WRONG_CODES)
    .where(isNotExpired)
    .executeTakeFirst()
  return token?.relates_to ?? null
}

/** Consumes a token. Returns false if it was used, replaced or deleted meanwhile. */
export const consumeToken = async (
  db: Db,
  { user_id, type, link_hash }: OneTimeToken,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', user_id)
    .where('type', '=', type)
    .where('link_hash', '=', link_hash)
    .where(isNotExpired)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all pending links and codes of a user. */
export const clearTokens = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('one_time_tokens').where('user_id', '=', user_id).execute()
}

/** Deletes the links and codes of a replaced change of address. */
export const clearChangeTokens = async (db: Db, user_id: string): Promise<void> => {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', user_id)
    .where('type', 'in', ['email_change_current', 'email_change_new'])
    .execute()
}
