import { findUserOfSession } from '#server/auth/accounts/users.store.ts'
import { rememberNetwork } from '#server/auth/attempts.ts'
import { sessionNotFound } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import type { Services } from '#server/auth/services.ts'
import {
  deleteRefreshTokens,
  insertRefreshToken,
  recordMethod,
} from '#server/auth/sessions/sessions.store.ts'
import {
  createSessionResponse,
  firstRefreshToken,
  refreshTokenHash,
} from '#server/auth/sessions/sessions.ts'
import type { Bearer } from '#server/auth/sessions/tokens.ts'
import { deleteAal1Sessions, markAal2 } from './factors.store.ts'

/**
 * Raises a session to aal2 and returns new tokens. Deletes the old refresh token and the user's sessions without a second
 * factor. Must run in the caller's transaction.
 */
export const upgradeToAal2 = async (
  services: Services,
  bearer: Bearer,
  { method, factor_id }: { method: string; factor_id: string },
): Promise<SessionJson> => {
  const { db } = services
  const { session_id } = bearer
  await markAal2(db, bearer, factor_id)
  const user = await findUserOfSession(db, bearer)
  if (!user) throw sessionNotFound()
  await recordMethod(db, { session_id, method })
  await deleteAal1Sessions(db, bearer)
  await deleteRefreshTokens(db, session_id)
  const refresh_token = firstRefreshToken()
  await rememberNetwork(services, bearer.user_id, { hasVerifiedFactor: true })
  await insertRefreshToken(db, { session_id, token_hash: refreshTokenHash(refresh_token) })
  return createSessionResponse(services, { user, session_id, refresh_token })
}
