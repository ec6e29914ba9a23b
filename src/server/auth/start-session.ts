import { randomUUIDv7 } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { rememberNetwork } from './attempts.ts'
import { firstRefreshToken, refreshTokenHash } from './refresh-token.ts'
import type { Services } from './services.ts'
import { insertRefreshToken, insertSession, listMethods } from './sessions.store.ts'
import type { Tokens } from './tokens.ts'
import type { User } from './users.store.ts'
import { accountJson, type SessionJson, sessionJson } from './wire.ts'

/** The token answer for a session that exists: a fresh access token beside this refresh token. */
export const answerSession = async (
  { db, tokens }: { db: Db; tokens: Tokens },
  { user, session_id, refresh_token }: { user: User; session_id: string; refresh_token: string },
): Promise<SessionJson> => {
  const now = Math.floor(Date.now() / 1000)
  const methods = await listMethods(db, session_id)
  const access_token = await tokens.sign(user, session_id, methods, now)
  return sessionJson({ access_token, refresh_token, now }, await accountJson(db, user))
}

/** Signs a user in by a method: a new session with its first tokens. Run it in the caller's transaction. */
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
  if (!user.is_anonymous) await rememberNetwork(services, user.id, { hasShownFactor: false })
  return answerSession({ db, tokens }, { user, session_id, refresh_token })
}
