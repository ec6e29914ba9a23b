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
import { isUuid } from '#server/runtime/uuid.ts'
import {
  checkUnlinked,
  findOrCreateAccount,
  linkProfile,
  type ProviderTokens,
  sealProviderTokens,
} from './account-of-profile.ts'
import { callbackOf } from './authorize.ts'
import { consumeState, type OauthState, wasStateUsed } from './external.store.ts'
import { type Profile, profileOf } from './providers.ts'

/** What a provider's answer is read from. */
const ANSWERED = ['state', 'code', 'iss', 'error', 'error_description']
const DENIED = ['signup_disabled', 'user_banned', 'provider_email_needs_verification']

type Query = Record<string, string>

type Answer = { profile: Profile; provider_tokens: ProviderTokens }

/** What the provider says of who comes back; its answer is checked against what was asked. */
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
    services.log.warn({ err: cause, provider: provider.name }, 'a provider’s answer was refused')
    throw new AuthError(500, 'unexpected_failure', 'Unable to exchange external code', { cause })
  }
}

/** 403 when the account ended its linkings, by a new password for instance, while its provider was asked. */
const checkGoesOn = async (db: Db, state_id: string, user_id: string): Promise<void> => {
  await lockUser(db, user_id)
  if (!(await wasStateUsed(db, state_id))) throw sessionNotFound()
}

/** Where a success leads: a session in the fragment, or a code for the challenge in the query. */
const arrive = (services: Services, state: OauthState, answer: Answer): Promise<string> =>
  inTransaction(services.db, async (db) => {
    const inside = { ...services, db }
    const { profile, provider_tokens } = answer
    const { code_challenge, code_challenge_method, redirect_to, linking_user_id } = state
    if (linking_user_id) await checkGoesOn(db, state.id, linking_user_id)
    if (code_challenge && code_challenge_method) {
      const challenge = { code_challenge, code_challenge_method }
      return withQuery(redirect_to, { code: await giveCode(inside, state, { challenge, answer }) })
    }
    const user = linking_user_id
      ? await linkProfile(inside, linking_user_id, profile)
      : await findOrCreateAccount(inside, profile)
    audit('sign_in', { actor_id: user.id, detail: profile.provider })
    const session = await startSession(inside, user, 'oauth')
    return withFragment(redirect_to, sessionFields({ ...session, ...provider_tokens }))
  })

/**
 * A code for the client that holds the challenge's verifier. A linking is done at its exchange: the verifier
 * shows that the client is the one that began, wherever the browser has been sent.
 */
const giveCode = async (
  services: Services,
  { linking_user_id }: OauthState,
  { challenge, answer: { profile, provider_tokens } }: { challenge: Challenge; answer: Answer },
): Promise<string> => {
  const { db } = services
  if (linking_user_id) await checkUnlinked(db, profile)
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
 * Where an answer that was posted goes on: to the same way back, by GET. A post from another site brings no
 * SameSite=Lax cookie; the navigation that follows it does.
 */
export const callbackAddressOf = (services: Services, form: Record<string, unknown>): string => {
  const url = new URL(callbackOf(services))
  for (const name of ANSWERED) {
    const value = form[name]
    if (typeof value === 'string') url.searchParams.set(name, value)
  }
  return url.href
}

const failed = (target: string, fields: Record<string, string>): string =>
  withFragment(withQuery(target, fields), fields)

/** Where the browser is redirected. Without a known state it is only sent to our own site. */
type Landing = { status: 302 | 303; location: string }

const lost = (target: string, error_code: string, error_description: string): Landing => ({
  status: 303,
  location: withQuery(target, { error: 'invalid_request', error_code, error_description }),
})

/** Where a browser that comes back from a provider is led; never an error of its own. */
export const finishSignIn = async (
  services: Services,
  query: Query,
  browser: string,
): Promise<Landing> => {
  const home = new URL(services.public_url).href
  const { state: id = '' } = query
  if (!isUuid(id)) return lost(home, 'bad_oauth_callback', 'OAuth state parameter missing')
  const state = await consumeState(services.db, { id, browser })
  if (!state) {
    return (await wasStateUsed(services.db, id))
      ? lost(home, 'flow_state_already_used', 'OAuth state was used already')
      : lost(home, 'bad_oauth_state', 'OAuth state is unknown')
  }
  if (state.is_over) return lost(home, 'bad_oauth_state', 'OAuth state has expired')
  return { status: 302, location: await landingOf(services, state, query) }
}

/** Where the answer to a state that is good leads. */
const landingOf = async (services: Services, state: OauthState, query: Query): Promise<string> => {
  if (query.error)
    return failed(state.redirect_to, {
      error: query.error.slice(0, 200),
      error_code: 'bad_oauth_callback',
      error_description: (query.error_description ?? query.error).slice(0, 500),
    })
  try {
    return await arrive(services, state, await readAnswer(services, state, query))
  } catch (error) {
    const refusal = toAuthError(error)
    if (refusal.status >= 500) services.log.error({ err: error }, 'a provider could not be used')
    const fields = errorFields(refusal)
    const word = DENIED.includes(refusal.code) ? 'access_denied' : (fields.error ?? 'server_error')
    return failed(state.redirect_to, { ...fields, error: word })
  }
}
