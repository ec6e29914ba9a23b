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
  findLivingToken,
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
const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** Returns true if a text has the form of our refresh tokens. */
const isRefreshToken = (text: string): boolean => SHAPE.test(text)

/** Creates the first refresh token of a session: 256 random bits. */
export const firstRefreshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Returns the successor of a refresh token: deterministic, and unpredictable without the key. */
const nextRefreshToken = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** Returns the stored hash of a refresh token. */
export const refreshTokenHash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Creates the token answer of an existing session: a new access token with this refresh token. */
export const createSessionResponse = async (
  { db, tokens }: { db: Db; tokens: Tokens },
  { user, session_id, refresh_token }: { user: User; session_id: string; refresh_token: string },
): Promise<SessionJson> => {
  const now = Math.floor(Date.now() / 1000)
  const methods = await listMethods(db, session_id)
  const access_token = await tokens.sign(user, session_id, methods, now)
  return sessionJson({ access_token, refresh_token, now }, await accountJson(db, user))
}

/** Creates a session with its first tokens. Must run in the caller's transaction. */
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

/** Maximum lag of a recently replaced token, in refreshes. */
const STEPS_WHEN_JUST_REVOKED = 8

const notFound = (): AuthError =>
  new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
const expired = (): AuthError =>
  new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired')
const alreadyUsed = (): AuthError =>
  new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')

/** Returns the valid token if it is within `steps` successors of this one. */
const findSuccessor = (
  key: Buffer,
  text: string,
  living: Buffer,
  steps: number,
): string | undefined => {
  let next = text
  for (let step = 0; step < steps; step += 1) {
    next = nextRefreshToken(key, next)
    if (refreshTokenHash(next).equals(living)) return next
  }
  return undefined
}

/**
 * Replaces a valid token and returns its successor. A token replaced within the last 10 s returns the valid token, up
 * to 8 successors later; an older one returns only its direct successor, if still valid. Returns undefined otherwise:
 * the caller treats the token as stolen and ends the session.
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
  const living = await findLivingToken(db, session.id)
  if (!living) return undefined
  const steps = (await isJustRevoked(db, token_hash)) ? STEPS_WHEN_JUST_REVOKED : 1
  return findSuccessor(key, text, living, steps)
}

/**
 * Exchanges a refresh token for a new pair under a lock, so that concurrent calls get the same token. A late copy
 * ends the session. Refusals are 400, because clients retry 5xx.
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

/** Ends this session (local), the other ones (others) or all (global, the default). */
export const signOut = async (
  { db }: Services,
  { user_id, session_id }: Bearer,
  scope: unknown = 'global',
): Promise<void> => {
  if (typeof scope !== 'string' || !SCOPES.includes(scope))
    throw validationFailed(`Unsupported logout scope: it is one of ${SCOPES.join(', ')}`)
  await inTransaction(db, async (transaction) => {
    if (scope === 'local') return deleteSession(transaction, { id: session_id, user_id })
    // The lock makes a concurrent sign-in end before, and be deleted too, or start after.
    await lockUser(transaction, user_id)
    const except = scope === 'others' ? session_id : undefined
    return deleteSessions(transaction, { user_id, except })
  })
  audit('sign_out', { actor_id: user_id, session_id, detail: scope })
}
