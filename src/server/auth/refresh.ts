import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { AuthError, userBanned, validationFailed } from './auth-error.ts'
import { isRefreshToken, nextRefreshToken, refreshTokenHash } from './refresh-token.ts'
import { inTransaction, type Services } from './services.ts'
import {
  deleteSession,
  findLivingToken,
  insertRefreshToken,
  isJustRevoked,
  type LockedSession,
  lockSessionOfToken,
  markRefreshed,
  revokeRefreshToken,
} from './sessions.store.ts'
import { answerSession } from './start-session.ts'
import { findUserOfSession, isBanned } from './users.store.ts'
import type { SessionJson } from './wire.ts'

/** How far a token replaced a moment ago may lag behind the living one. */
const STEPS_WHEN_JUST_REVOKED = 8

const notFound = (): AuthError =>
  new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
const expired = (): AuthError =>
  new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired')
const alreadyUsed = (): AuthError =>
  new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')

/** The living token's text when it follows this one within so many steps. */
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
 * The token to answer with. A living one is replaced. A replaced one gives the very token that replaced
 * it while that one lives, at any age: two tabs that refresh at once, or a reply that was lost, end on
 * the same token. Undefined for any other: the token was copied.
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
 * Exchanges a refresh token for a new pair, under a lock on its session, so that any number of calls with
 * one token give one and the same next token. A copy that turns up late ends the session. Every refusal is
 * 400: clients try 5xx again.
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
    return answerSession({ ...services, db }, { user, session_id: session.id, refresh_token })
  })
  if (outcome instanceof AuthError) throw outcome
  return outcome
}
