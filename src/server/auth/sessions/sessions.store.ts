import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

/** Sign-in methods that count as a second factor. */
export const SECOND_FACTORS = ['totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code']

/** Returns the assurance level of a session: 'aal2' with a second factor. */
export const assuranceOf = (methods: { method: string }[]): 'aal1' | 'aal2' =>
  methods.some(({ method }) => SECOND_FACTORS.includes(method)) ? 'aal2' : 'aal1'

/** Maximum age of a session since its sign-in. */
const MAX_SESSION_AGE = sql`interval '90 days'`
/** Maximum time since the last refresh of a session. */
const MAX_SESSION_IDLE = sql`interval '30 days'`
/** Time for which a replaced refresh token is still accepted, because several tabs may refresh in parallel. */
const REUSE_INTERVAL = sql`interval '10 seconds'`

/** Sign-in method of a session, and its time (Unix seconds). */
export type Method = { method: string; timestamp: number }

/** SQL that is true for an expired session. */
export const isSessionExpired = sql<boolean>`(sessions.created_at < now() - ${MAX_SESSION_AGE}
  or sessions.refreshed_at < now() - ${MAX_SESSION_IDLE})`

/** Inserts a session and deletes the user's expired ones. */
export const insertSession = async (
  db: Db,
  {
    method,
    ...session
  }: { id: string; user_id: string; method: string; user_agent: string | null },
): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', session.user_id)
    .where(isSessionExpired)
    .execute()
  await db.insertInto('sessions').values(session).execute()
  await db.insertInto('session_amr').values({ session_id: session.id, method }).execute()
}

/** Returns the sign-in methods of a session, newest first. */
export const listMethods = async (db: Db, session_id: string): Promise<Method[]> =>
  db
    .selectFrom('session_amr')
    .select(['method', sql<number>`extract(epoch from updated_at)::int`.as('timestamp')])
    .where('session_id', '=', session_id)
    .orderBy('updated_at', 'desc')
    .execute()

/** Returns true if a session began within the last day. */
export const isSessionRecent = async (db: Db, id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the hash of a new refresh token of a session. */
export const insertRefreshToken = async (
  db: Db,
  { session_id, token_hash }: { session_id: string; token_hash: Buffer },
): Promise<void> => {
  await db.insertInto('refresh_tokens').values({ session_id, token_hash }).execute()
}

/** Session whose row is locked. */
export type LockedSession = { id: string; user_id: string; is_over: boolean }

/** Returns the session of a refresh token and locks its row until the transaction ends. */
export const lockSessionOfToken = (
  db: Db,
  token_hash: Buffer,
): Promise<LockedSession | undefined> =>
  db
    .selectFrom('sessions')
    .innerJoin('refresh_tokens', 'refresh_tokens.session_id', 'sessions.id')
    .select(['sessions.id', 'sessions.user_id', isSessionExpired.as('is_over')])
    .where('refresh_tokens.token_hash', '=', token_hash)
    .forUpdate('sessions')
    .executeTakeFirst()

/** Revokes a refresh token. Returns false if it was revoked before. */
export const revokeRefreshToken = async (db: Db, token_hash: Buffer): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: sql`clock_timestamp()` })
    .where('token_hash', '=', token_hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns true if a refresh token was replaced within the reuse interval. */
export const isJustRevoked = async (db: Db, token_hash: Buffer): Promise<boolean> => {
  const row = await db
    .selectFrom('refresh_tokens')
    .select('session_id')
    .where('token_hash', '=', token_hash)
    .where('revoked_at', '>', sql<string>`clock_timestamp() - ${REUSE_INTERVAL}`)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the hash of the valid refresh token of a session. */
export const findValidRefreshTokenHash = async (
  db: Db,
  session_id: string,
): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('refresh_tokens')
    .select('token_hash')
    .where('session_id', '=', session_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row?.token_hash
}

/** Records time and browser of a refresh. */
export const markRefreshed = async (
  db: Db,
  id: string,
  user_agent: string | null,
): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ refreshed_at: sql`now()`, user_agent })
    .where('id', '=', id)
    .execute()
}

/** Returns the valid sessions of a user, most recently used first. */
export const listSessions = (
  db: Db,
  user_id: string,
): Promise<
  Pick<Selectable<Tables['sessions']>, 'id' | 'created_at' | 'refreshed_at' | 'user_agent'>[]
> =>
  db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'refreshed_at', 'user_agent'])
    .where('user_id', '=', user_id)
    .where(sql<boolean>`not ${isSessionExpired}`)
    .orderBy('refreshed_at', 'desc')
    .orderBy('id')
    .execute()

/** Deletes a session and its refresh tokens. Its access tokens are then refused too. */
export const deleteSession = async (
  db: Db,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> => {
  await db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', user_id).execute()
}

/** Deletes all sessions of a user, except the session `except` if given. */
export const deleteSessions = async (
  db: Db,
  { user_id, except }: { user_id: string; except?: string },
): Promise<void> => {
  const all = db.deleteFrom('sessions').where('user_id', '=', user_id)
  await (except ? all.where('id', '<>', except) : all).execute()
}

/** Records a sign-in method of a session, or the time of its repeated use. */
export const recordMethod = async (
  db: Db,
  { session_id, method }: { session_id: string; method: string },
): Promise<void> => {
  await db
    .insertInto('session_amr')
    .values({ session_id, method })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'method']).doUpdateSet({ updated_at: sql`now()` }),
    )
    .execute()
}

/** Deletes all refresh tokens of a session. */
export const deleteRefreshTokens = async (db: Db, session_id: string): Promise<void> => {
  await db.deleteFrom('refresh_tokens').where('session_id', '=', session_id).execute()
}
