import { sql } from 'kysely'
import { rememberNetwork } from '#server/auth/attempts.ts'
import { sessionNotFound } from '#server/auth/auth-error.ts'
import { firstRefreshToken, refreshTokenHash } from '#server/auth/refresh-token.ts'
import type { Services } from '#server/auth/services.ts'
import { insertRefreshToken } from '#server/auth/sessions.store.ts'
import { answerSession } from '#server/auth/start-session.ts'
import type { Bearer } from '#server/auth/tokens.ts'
import { findUserOfSession } from '#server/auth/users.store.ts'
import type { SessionJson } from '#server/auth/wire.ts'
import { endLowerSessions, markRaised } from './raised-sessions.store.ts'

/**
 * A session has shown a second factor: the same session, with new tokens that say so; its earlier refresh
 * token opens nothing any more. Run it in the caller's transaction.
 */
export const raiseSession = async (
  services: Services,
  bearer: Bearer,
  { method, factor_id }: { method: string; factor_id: string },
): Promise<SessionJson> => {
  const { db } = services
  const { session_id } = bearer
  await markRaised(db, bearer, factor_id)
  const user = await findUserOfSession(db, bearer)
  if (!user) throw sessionNotFound()
  await db
    .insertInto('session_amr')
    .values({ session_id, method })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'method']).doUpdateSet({ updated_at: sql`now()` }),
    )
    .execute()
  await endLowerSessions(db, bearer)
  await db.deleteFrom('refresh_tokens').where('session_id', '=', session_id).execute()
  const refresh_token = firstRefreshToken()
  await rememberNetwork(services, bearer.user_id, { hasShownFactor: true })
  await insertRefreshToken(db, { session_id, token_hash: refreshTokenHash(refresh_token) })
  return answerSession(services, { user, session_id, refresh_token })
}
