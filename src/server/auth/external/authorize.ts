import * as openid from 'openid-client'
import { readChallenge } from '#server/auth/email-links/pkce.ts'
import type { Services } from '#server/auth/services.ts'
import { insertState } from './external.store.ts'

type Query = Record<string, unknown>

/** Parameters that clients may send to the provider. Other parameters could change the response mode, for example. */
const FORWARDED_PARAMETERS = [
  'access_type',
  'display',
  'domain_hint',
  'hd',
  'include_granted_scopes',
  'login_hint',
  'prompt',
  'ui_locales',
]

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const forwardedParameters = (query: Query): Record<string, string> =>
  Object.fromEntries(
    FORWARDED_PARAMETERS.map((name) => [name, text(query[name])]).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )

/** Returns the callback address for provider answers. */
export const callbackOf = ({ public_url }: Pick<Services, 'public_url'>): string =>
  `${public_url}/auth/v1/callback`

/** Stores a state, which is valid for five minutes in this browser. Returns the sign-in address of the provider. */
export const authorizationUrl = async (
  services: Services,
  query: Query,
  target: { redirect_to: string; linking_user_id: string | null; browser: string },
): Promise<string> => {
  const provider = await services.providers.find(query.provider)
  const challenge = readChallenge({
    code_challenge: text(query.code_challenge) ?? null,
    code_challenge_method: text(query.code_challenge_method) ?? null,
  })
  const code_verifier = openid.randomPKCECodeVerifier()
  const nonce = openid.randomNonce()
  const state = await insertState(services.db, {
    ...target,
    provider: provider.name,
    code_challenge: challenge?.code_challenge ?? null,
    code_challenge_method: challenge?.code_challenge_method ?? null,
    code_verifier,
    nonce,
  })
  const scopes = [provider.settings.scopes, text(query.scopes)].filter(Boolean).join(' ')
  return openid.buildAuthorizationUrl(provider.openid, {
    ...forwardedParameters(query),
    redirect_uri: callbackOf(services),
    scope: [...new Set(scopes.split(/\s+/))].join(' '),
    code_challenge: await openid.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }).href
}
