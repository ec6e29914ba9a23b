import * as openid from 'openid-client'
import { audit } from '#server/audit/audit.ts'
import { lockUser } from '#server/auth/accounts/users.store.ts'
import { AuthError, sessionNotFound, toAuthError } from '#server/auth/auth-error.ts'
import { insertFlow, issueCode } from '#server/auth/email-links/flow-states.store.ts'
import type { Challenge } from '#server/auth/email-links/pkce.ts'
import {
  errorFields,
  sessionFields,
  withFragment,
  withQuery,
} from '#server/auth/email-links/redirects.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import type { Db } from '#server/db/database.ts'
import { UUID } from '#server/runtime/uuid.ts'
import {
  assertIdentityIsFree,
  findOrCreateAccount,
  linkProfile,
  type ProviderTokens,
  sealProviderTokens,
} from './account-of-profile.ts'
import { callbackOf } from './authorize.ts'
import { consumeState, type OauthState, wasStateUsed } from './external.store.ts'
import { type Profile, profileOf } from './providers.ts'

/** Parameters of a provider's answer. */
const ANSWER_PARAMETERS = ['state', 'code', 'iss', 'error', 'error_description']
/** Error codes that OAuth reports as `access_denied`. */
const ACCESS_DENIED_CODES = ['signup_disabled', 'user_banned', 'provider_email_needs_verification']

type Query = Record<string, string>

type Answer = { profile: Profile; provider_tokens: ProviderTokens }

/** Reads and verifies the provider's answer for a state. */
const readAnswer = async (services: Services, state: OauthState, query: Query): Promise<Answer> => {
  const provider = await services.providers.find(state.provider)
  const url = new URL(callbackOf(services))
  url.search = new URLSearchParams(query).toString()
  try {
    const tokens = await openid.authorizationCodeGrant(provider.openid, url, {
      pkceCodeVerifier: state.code_verifier,
      expectedState: state.id,
      expectedNonce: state.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider gave no identity')
    const { access_token, refresh_token } = tokens
    return {
      profile: profileOf(provider.name, claims),
      provider_tokens: {
        provider_token: access_token,
        ...(refresh_token && { provider_refresh_token: refresh_token }),
      },
    }
  } catch (cause) {
    services.log.warn(
      { err: cause, provider: provider.name },
      'the answer of an identity provider was refused',
    )
    throw new AuthError(500, 'unexpected_failure', 'Unable to exchange external code', { cause })
  }
}

/** Throws 403 if the state was deleted meanwhile, for example by a change of password. */
const assertLinkingPending = async (db: Db, state_id: string, user_id: string): Promise<void> => {
  await lockUser(db, user_id)
  if (!(await wasStateUsed(db, state_id))) throw sessionNotFound()
}

/** Signs in or links the profile. Returns the target with a session in the fragment, or with a PKCE code in the query. */
const completeSignIn = (services: Services, state: OauthState, answer: Answer): Promise<string> =>
  inTransaction(services.db, async (db) => {
    const inside = { ...services, db }
    const { profile, provider_tokens } = answer
    const { code_challenge, code_challenge_method, redirect_to, linking_user_id } = state
    if (linking_user_id) await assertLinkingPending(db, state.id, linking_user_id)
    if (code_challenge && code_challenge_method) {
      const challenge = { code_challenge, code_challenge_method }
      return withQuery(redirect_to, {
        code: await issueFlowCode(inside, state, { challenge, answer }),
      })
    }
    const user = linking_user_id
      ? await linkProfile(inside, linking_user_id, profile)
      : await findOrCreateAccount(inside, profile)
    audit('sign_in', { actor_id: user.id, detail: profile.provider })
    const session = await startSession(inside, user, 'oauth')
    return withFragment(redirect_to, sessionFields({ ...session, ...provider_tokens }))
  })

/**
 * Creates a PKCE flow and returns its code. An identity is linked only when the code is exchanged, because only the
 * verifier proves that the same client started the linking.
 */
const issueFlowCode = async (
  services: Services,
  { linking_user_id }: OauthState,
  { challenge, answer: { profile, provider_tokens } }: { challenge: Challenge; answer: Answer },
): Promise<string> => {
  const { db } = services
  if (linking_user_id) await assertIdentityIsFree(db, profile)
  const user_id = linking_user_id ?? (await findOrCreateAccount(services, profile)).id
  if (!linking_user_id) audit('sign_in', { actor_id: user_id, detail: profile.provider })
  const flow = await insertFlow(db, {
    user_id,
    method: 'oauth',
    challenge,
    sealed_provider_tokens: sealProviderTokens(services, user_id, provider_tokens),
    ...(linking_user_id && { linking_profile: JSON.stringify(profile) }),
  })
  return issueCode(db, flow)
}

/**
 * Returns the callback address with the parameters of a posted form. The browser is redirected there, because it sends
 * SameSite=Lax cookies with a GET but not with a POST from another site.
 */
export const callbackAddressOf = (services: Services, form: Record<string, unknown>): string => {
  const url = new URL(callbackOf(services))
  for (const name of ANSWER_PARAMETERS) {
    const value = form[name]
    if (typeof value === 'string') url.searchParams.set(name, value)
  }
  return url.href
}

const withErrorFields = (target: string, fields: Record<string, string>): string =>
  withFragment(withQuery(target, fields), fields)

/** Redirect of the browser. */
type Redirect = { status: 302 | 303; location: string }

const redirectWithError = (
  target: string,
  error_code: string,
  error_description: string,
): Redirect => ({
  status: 303,
  location: withQuery(target, { error: 'invalid_request', error_code, error_description }),
})

/** Completes an external sign-in and returns the redirect. Errors become part of the address. Without a valid state, the
 * redirect leads to the home page. */
export const finishSignIn = async (
  services: Services,
  query: Query,
  browser: string,
): Promise<Redirect> => {
  const home = new URL(services.public_url).href
  const { state: id = '' } = query
  if (!UUID.test(id))
    return redirectWithError(home, 'bad_oauth_callback', 'OAuth state parameter missing')
  const state = await consumeState(services.db, { id, browser })
  if (!state) {
    return (await wasStateUsed(services.db, id))
      ? redirectWithError(home, 'flow_state_already_used', 'OAuth state was used already')
      : redirectWithError(home, 'bad_oauth_state', 'OAuth state is unknown')
  }
  if (state.is_over) return redirectWithError(home, 'bad_oauth_state', 'OAuth state has expired')
  return { status: 302, location: await redirectAfterAnswer(services, state, query) }
}

/** Returns the redirect for the answer to a valid state. */
const redirectAfterAnswer = async (
  services: Services,
  state: OauthState,
  query: Query,
): Promise<string> => {
  if (query.error)
    return withErrorFields(state.redirect_to, {
      error: query.error.slice(0, 200),
      error_code: 'bad_oauth_callback',
      error_description: (query.error_description ?? query.error).slice(0, 500),
    })
  try {
    return await completeSignIn(services, state, await readAnswer(services, state, query))
  } catch (error) {
    const refusal = toAuthError(error)
    if (refusal.status >= 500) services.log.error({ err: error }, 'an external sign-in failed')
    const fields = errorFields(refusal)
    const word = ACCESS_DENIED_CODES.includes(refusal.code)
      ? 'access_denied'
      : (fields.error ?? 'server_error')
    return withErrorFields(state.redirect_to, { ...fields, error: word })
  }
}
