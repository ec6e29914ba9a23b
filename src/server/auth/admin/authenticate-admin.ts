import type { FastifyRequest } from 'fastify'
import { AuthError, sessionNotFound } from '#server/auth/auth-error.ts'
import { readBearer } from '#server/auth/authenticate.ts'
import type { Services } from '#server/auth/services.ts'
import { findUserOfSession } from '#server/auth/users.store.ts'

const ADMIN_ROLES = ['service_role', 'supabase_admin']

/**
 * Lets only holders of a service token through: signed with one of our keys, for a role that no account
 * has. 401 without a token, 403 `not_admin` for any other genuine one.
 */
export const authenticateAdmin = async (
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<void> => {
  const { role, session } = await tokens.verifyRole(readBearer(headers))
  if (session && !(await findUserOfSession(db, session))) throw sessionNotFound()
  if (!ADMIN_ROLES.includes(role)) throw new AuthError(403, 'not_admin', 'User not allowed')
}
