import { audit } from '#server/audit/audit.ts'
import { markSignedInByMail } from '#server/auth/accounts/users.store.ts'
import { otpExpired, toAuthError, validationFailed } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import { deleteFlow, issueCode } from './flow-states.store.ts'
import { isPkceLink, linkHash } from './make-token.ts'
import { findTokenOfLink } from './one-time-tokens.store.ts'
import { redeem } from './redeem.ts'
import { errorFields, sessionFields, withFragment, withQuery } from './redirects.ts'
import { HALF_CHANGED, tokenTypesOf } from './verify.ts'

type Outcome =
  | { code: string }
  | { session: SessionJson; lacks_password: boolean }
  | { message: string }

const redeemLink = async (services: Services, link: string, type: string): Promise<Outcome> => {
  const token = await findTokenOfLink(services.db, linkHash(link), tokenTypesOf(type))
  if (!token) throw otpExpired('link')
  return inTransaction(services.db, async (db): Promise<Outcome> => {
    const redeemed = await redeem({ ...services, db }, token, 'link')
    if (redeemed === 'half') {
      if (token.flow_id) await deleteFlow(db, token.flow_id)
      return { message: HALF_CHANGED }
    }
    if (token.flow_id) return { code: await issueCode(db, token.flow_id) }
    const user = await markSignedInByMail(db, redeemed.user.id)
    const session = await startSession({ ...services, db }, user, 'otp')
    const lacks_password = token.type === 'confirmation' && user.encrypted_password === null
    return { session, lacks_password }
  })
}

/** Returns the target, or the new-password screen if a confirmed account has no password. */
const screenOf = ({ public_url }: Services, target: string, lacks_password: boolean): string =>
  lacks_password && target === `${public_url}/confirmation` ? `${public_url}/new-password` : target

/**
 * Uses a mailed link and returns the redirect: the target with a session, a PKCE code, a message or an error. Throws
 * 400 if the token or type of the link is missing.
 */
export const followLink = async (
  services: Services,
  { token, type }: { token: unknown; type: unknown },
  target: string,
): Promise<string> => {
  if (typeof token !== 'string' || token === '')
    throw validationFailed('Verify requires a token or a token hash')
  if (typeof type !== 'string' || type === '')
    throw validationFailed('Verify requires a verification type')
  const isPkce = isPkceLink(token)
  try {
    const outcome = await redeemLink(services, token, type)
    services.mailer.wake()
    if ('session' in outcome) {
      audit('sign_in', { actor_id: outcome.session.user.id, detail: 'link' })
      const screen = screenOf(services, target, outcome.lacks_password)
      return withFragment(screen, { ...sessionFields(outcome.session), type })
    }
    if ('code' in outcome) return withQuery(target, outcome)
    return withFragment(isPkce ? withQuery(target, outcome) : target, outcome)
  } catch (error) {
    const refusal = toAuthError(error)
    if (refusal.status >= 500) services.log.error({ err: error }, 'a link could not be followed')
    const fields = errorFields(refusal)
    return withFragment(isPkce ? withQuery(target, fields) : target, fields)
  }
}
