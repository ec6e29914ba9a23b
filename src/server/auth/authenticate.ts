import type { FastifyRequest } from 'fastify'
import { AuthError, sessionNotFound, userBanned } from './auth-error.ts'
import type { Services } from './services.ts'
import type { Bearer } from './tokens.ts'
import { findUserOfSession, hasUser, isBanned, type User } from './users.store.ts'

const BEARER = /^bearer +(\S+)$/i

/** The token of a call; 401 when it carries none. */
export const readBearer = (headers: FastifyRequest['headers']): string => {
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (!token)
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
  return token
}

/**
 * Who calls: a genuine access token whose session and user still exist, looked up on every call so that
 * sign-out, a password change and deletion end access at once, in every process. 401 without a bearer
 * token, 403 otherwise.
 */
export const authenticate = async (
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<{ user: User; bearer: Bearer }> => {
  const bearer = await tokens.verify(readBearer(headers))
  const user = await findUserOfSession(db, bearer)
  if (user) {
    if (isBanned(user)) throw userBanned(403)
    return { user, bearer }
  }
  if (await hasUser(db, bearer.user_id)) throw sessionNotFound()
  throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
}
