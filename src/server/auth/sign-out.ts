import { audit } from '#server/audit/audit.ts'
import { validationFailed } from './auth-error.ts'
import { inTransaction, type Services } from './services.ts'
import { deleteSession, deleteSessions } from './sessions.store.ts'
import type { Bearer } from './tokens.ts'
import { lockUser } from './users.store.ts'

const SCOPES = ['global', 'local', 'others']

/** Ends this session (local), the user's other ones (others), or all of them (global, the default). */
export const signOut = async (
  { db }: Services,
  { user_id, session_id }: Bearer,
  scope: unknown = 'global',
): Promise<void> => {
  if (typeof scope !== 'string' || !SCOPES.includes(scope))
    throw validationFailed(`Unsupported logout scope: it is one of ${SCOPES.join(', ')}`)
  await inTransaction(db, async (transaction) => {
    if (scope === 'local') return deleteSession(transaction, { id: session_id, user_id })
    // A sign-in under way either ends before this and goes too, or begins after it.
    await lockUser(transaction, user_id)
    const except = scope === 'others' ? session_id : undefined
    return deleteSessions(transaction, { user_id, except })
  })
  audit('sign_out', { actor_id: user_id, session_id, detail: scope })
}
