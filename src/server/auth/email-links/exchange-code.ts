import { audit } from '#server/audit/audit.ts'
import { restorePassword } from '#server/auth/accounts/email-accounts.store.ts'
import { isBanned, markSignedInByMail } from '#server/auth/accounts/users.store.ts'
import { AuthError, userBanned, validationFailed } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import { linkProfile, openProviderTokens } from '#server/auth/external/account-of-profile.ts'
import type { PkceBody } from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import { deleteFlow, lockFlowOfCode } from './flow-states.store.ts'
import { isVerifier } from './pkce.ts'

/**
 * Exchanges the code and the verifier of a PKCE flow for a session. A code works once. Throws 404
 * `flow_state_not_found`, 422 `flow_state_expired`, 400 `bad_code_verifier`.
 */
export const exchangeCode = async (
  services: Services,
  { auth_code, code_verifier }: PkceBody,
): Promise<SessionJson> => {
  if (!auth_code || !code_verifier)
    throw validationFailed('invalid request: both auth code and code verifier should be non-empty')
  const session = await inTransaction(services.db, async (db) => {
    const flow = await lockFlowOfCode(db, auth_code)
    if (!flow)
      throw new AuthError(
        404,
        'flow_state_not_found',
        'invalid flow state, no valid flow state found',
      )
    if (flow.is_over)
      throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired')
    if (!isVerifier(code_verifier, flow))
      throw new AuthError(
        400,
        'bad_code_verifier',
        'code challenge does not match previously saved code verifier',
      )
    await deleteFlow(db, flow.id)
    const user = await markSignedInByMail(db, flow.user_id)
    if (isBanned(user)) throw userBanned(400)
    const { linking_profile, withheld_password } = flow
    if (withheld_password) await restorePassword(db, user.id, withheld_password)
    const owner = linking_profile
      ? await linkProfile({ ...services, db }, user.id, linking_profile)
      : user
    const session = await startSession({ ...services, db }, owner, flow.method)
    return { ...session, ...openProviderTokens(services, flow) }
  })
  audit('sign_in', { actor_id: session.user.id, detail: 'code' })
  return session
}
