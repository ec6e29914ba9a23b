import { audit } from '#server/audit/audit.ts'
import { AuthError, signupDisabled } from './auth-error.ts'
import { inTransaction } from './in-transaction.ts'
import { checkMetadata } from './metadata.ts'
import { insertAnonymousUser } from './new-users.store.ts'
import type { Services } from './services.ts'
import { startSession } from './start-session.ts'
import type { Metadata } from './users.store.ts'
import type { SessionJson } from './wire.ts'

/** An account without an address, signed in at once. 422 `anonymous_provider_disabled` where it is off. */
export const signUpAnonymously = async (
  services: Services,
  data: Metadata,
): Promise<SessionJson> => {
  if (!services.auth.can_be_anonymous)
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  if (!services.auth.can_sign_up) throw signupDisabled()
  checkMetadata(data)
  const session = await inTransaction(services.db, async (db) => {
    const user = await insertAnonymousUser(db, data)
    return startSession({ ...services, db }, user, 'anonymous')
  })
  audit('sign_up', { actor_id: session.user.id, detail: 'anonymous' })
  return session
}
