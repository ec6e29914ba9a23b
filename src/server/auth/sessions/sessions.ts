import { createHash, createHmac, randomBytes, randomUUIDv7 } from 'node:crypto'
import { audit } from '#server/audit/audit.ts'
import {
  findUserOfSession,
  isBanned,
  lockUser,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { rememberNetwork } from '#server/auth/attempts.ts'
import { AuthError, userBanned, validationFailed } from '#server/auth/auth-error.ts'
import { accountJson, type SessionJson, sessionJson } from '#server/auth/auth-json.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import {
  deleteSession,
  deleteSessions,
  findValidRefreshTokenHash,
  insertRefreshToken,
  insertSession,
  isJustRevoked,
  type LockedSession,
  listMethods,
  lockSessionOfToken,
  markRefreshed,
  revokeRefreshToken,
} from './sessions.store.ts'
import type { Bearer, Tokens } from './tokens.ts'

const TOKEN_BYTES = 32
const REFRESH_TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Returns true if a text has the form of our refresh tokens. */
const isRefreshToken = (text: string): boolean => REFRESH_TOKEN.test(text)

/** Creates the first refresh token of a session: 256 random bits. */
export const firstRefreshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Returns the successor of a refresh token. Parallel refreshes get an equal successor, which needs `key` to compute. */
const nextRefreshToken = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** Returns the stored hash of a refresh token. */
export const refreshTokenHash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns the answer with the tokens of a session: a new access token and the given refresh token. */
export const createSessionResponse = async (
  { db, tokens }: { db: Db; tokens: Tokens },
  { user, session_id, refresh_token }: { user: User; session_id: string; refresh_token: string },
): Promise<SessionJson> => {
  const now = Math.floor(Date.now() / 1000)
  const methods = await listMethods(db, session_id)
  const access_token = await tokens.sign(user, session_id, methods, now)
  return sessionJson({ access_token, refresh_token, now }, await accountJson(db, user))
}

/** Creates a session and returns its first tokens. Must run in the caller's transaction. */
export const startSession = async (
  services: Pick<Services, 'db' | 'tokens' | 'attemptKey' | 'network' | 'user_agent'>,
  user: User,
  method: string,
): Promise<SessionJson> => {
  const { db, tokens, user_agent = null } = services
  const session_id = randomUUIDv7()
  const refresh_token = firstRefreshToken()
  await insertSession(db, { id: session_id, user_id: user.id, method, user_agent })
  await insertRefreshToken(db, { session_id, token_hash: refreshTokenHash(refresh_token) })
  if (!user.is_anonymous) await rememberNetwork(services, user.id, { hasVerifiedFactor: false })
  return createSessionResponse({ db, tokens }, { user, session_id, refresh_token })
}

/** Maximum number of refreshes since a token that was replaced within the reuse interval. */
const MAX_STEPS_WHEN_JUST_REVOKED = 8

const notFound = (): AuthError =>
  new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
const expired = (): AuthError =>
  new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired')
const alreadyUsed = (): AuthError =>
  new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')

/** Returns the valid token if it is one of the next `steps` successors of `text`; otherwise undefined. */
const findSuccessor = (
  key: Buffer,
  text: string,
  valid_hash: Buffer,
  steps: number,
): string | undefined => {
  let next = text
  for (let step = 0; step < steps; step += 1) {
    next = nextRefreshToken(key, next)
    if (refreshTokenHash(next).equals(valid_hash)) return next
  }
  return undefined
}

/**
 * Replaces a valid refresh token and returns its successor. For a replaced token, returns the valid token if it is the
 * direct successor, or one of the next 8 if the token was replaced within 10 s. Otherwise returns undefined; the caller
 * then treats the token as stolen and ends the session.
 */
const rotate = async (
  db: Db,
  key: Buffer,
  session: LockedSession,
  text: string,
): Promise<string | undefined> => {
  const token_hash = refreshTokenHash(text)
  if (await revokeRefreshToken(db, token_hash)) {
    const next = nextRefreshToken(key, text)
    await insertRefreshToken(db, { session_id: session.id, token_hash: refreshTokenHash(next) })
    return next
  }
  const valid_hash = await findValidRefreshTokenHash(db, session.id)
  if (!valid_hash) return undefined
  const steps = (await isJustRevoked(db, token_hash)) ? MAX_STEPS_WHEN_JUST_REVOKED : 1
  return findSuccessor(key, text, valid_hash, steps)
}

/**
 * Exchanges a refresh token for a new pair of tokens. Locks the session, so that concurrent calls get the same refresh
 * token. Ends the session if the token was replaced long ago. Throws 400 if the token is refused.
 */
export const refresh = async (
  services: Services,
  text: string | null | undefined,
): Promise<SessionJson> => {
  if (!text || !isRefreshToken(text)) throw validationFailed('Refresh token is not valid')
  const { refreshKey } = services
  // A refusal is returned, not thrown, so that the end of the session is committed.
  const outcome = await inTransaction(services.db, async (db) => {
    const session = await lockSessionOfToken(db, refreshTokenHash(text))
    if (!session) return notFound()
    const user = await findUserOfSession(db, { user_id: session.user_id, session_id: session.id })
    if (!user) return notFound()
    if (isBanned(user)) return userBanned(400)
    const refresh_token = session.is_over ? undefined : await rotate(db, refreshKey, session, text)
    if (refresh_token === undefined) {
      await deleteSession(db, session)
      audit(session.is_over ? 'session_expired' : 'refresh_reused', {
        actor_id: session.user_id,
        session_id: session.id,
        outcome: 'refused',
      })
      return session.is_over ? expired() : alreadyUsed()
    }
    await markRefreshed(db, session.id, services.user_agent ?? null)
    return createSessionResponse(
      { ...services, db },
      { user, session_id: session.id, refresh_token },
    )
  })
  if (outcome instanceof AuthError) throw outcome
  return outcome
}

const SCOPES = ['global', 'local', 'others']

/** Deletes sessions of the user: `local` this session, `others` all other sessions, `global` all sessions. */
export const signOut = async (
  { db }: Services,
  { user_id, session_id }: Bearer,
  scope: unknown = 'global',
): Promise<void> => {
  if (typeof scope !== 'string' || !SCOPES.includes(scope))
    throw validationFailed(`Unsupported logout scope: it is one of ${SCOPES.join(', ')}`)
  await inTransaction(db, async (transaction) => {
    if (scope === 'local') return deleteSession(transaction, { id: session_id, user_id })
    // With the lock, a concurrent sign-in is either deleted too or starts after this sign-out.
    await lockUser(transaction, user_id)
    const except = scope === 'others' ? session_id : undefined
    return deleteSessions(transaction, { user_id, except })
  })
  audit('sign_out', { actor_id: user_id, session_id, detail: scope })
}
