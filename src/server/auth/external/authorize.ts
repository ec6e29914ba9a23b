import * as openid from 'openid-client'
import { readChallenge } from '#server/auth/one-time/pkce.ts'
import type { Services } from '#server/auth/services.ts'
import { insertState } from './external.store.ts'

type Query = Record<string, unknown>

/** What a client may not choose: it is ours to say. */
const RESERVED = [
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'provider',
  'redirect_to',
  'scopes',
  'scope',
  'skip_http_redirect',
]
/** More would be a way to make our address say anything to the provider. */
const MOST_PARAMETERS = 20

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const passedOn = (query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .filter(([name]) => !RESERVED.includes(name))
      .slice(0, MOST_PARAMETERS),
  )

/** Where our provider's answers come back to. */
export const callbackOf = ({ public_url }: Pick<Services, 'public_url'>): string =>
  `${public_url}/auth/v1/callback`

/** The address at the provider where a sign-in begins, with a state that is good for five minutes. */
export const authorizationUrl = async (
  services: Services,
  query: Query,
  { redirect_to, linking_user_id }: { redirect_to: string; linking_user_id: string | null },
): Promise<string> => {
  const provider = await services.providers.find(query.provider)
  const challenge = readChallenge({
    code_challenge: text(query.code_challenge) ?? null,
    code_challenge_method: text(query.code_challenge_method) ?? null,
  })
  const code_verifier = openid.randomPKCECodeVerifier()
  const nonce = openid.randomNonce()
  const state = await insertState(services.db, {
    provider: provider.name,
    redirect_to,
    code_challenge: challenge?.code_challenge ?? null,
    code_challenge_method: challenge?.code_challenge_method ?? null,
    code_verifier,
    nonce,
    linking_user_id,
  })
  const scopes = [provider.settings.scopes, text(query.scopes)].filter(Boolean).join(' ')
  return openid.buildAuthorizationUrl(provider.openid, {
    ...passedOn(query),
    redirect_uri: callbackOf(services),
    scope: [...new Set(scopes.split(/\s+/))].join(' '),
    code_challenge: await openid.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }).href
}
