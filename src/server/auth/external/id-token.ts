import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { audit } from '#server/audit/audit.ts'
import {
  AuthError,
  insufficientAal,
  oauthRefusal,
  validationFailed,
} from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import { authenticate } from '#server/auth/identify-caller.ts'
import type { IdTokenBody, Text } from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import { findOrCreateAccount, linkProfile } from './account-of-profile.ts'
import { type Provider, profileOf } from './providers.ts'

const notEnabled = (issuer: string): AuthError =>
  new AuthError(400, 'provider_disabled', `Provider (issuer "${issuer}") is not enabled`)

const findProviderName = (
  { auth }: Services,
  { provider, client_id, issuer }: IdTokenBody,
): string => {
  if (provider) {
    if (Object.hasOwn(auth.external, provider)) return provider
    throw notEnabled(provider)
  }
  if (!client_id || !issuer) throw validationFailed('provider or client_id and issuer required')
  const found = Object.entries(auth.external).find(
    ([, settings]) => settings.issuer === issuer && settings.client_id === client_id,
  )
  if (!found) throw notEnabled(issuer)
  return found[0]
}

const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA']
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

const keysOf = ({ openid }: Provider) => {
  const uri = openid.serverMetadata().jwks_uri
  if (!uri) throw new Error('The provider publishes no keys')
  const keys = keySets.get(uri) ?? createRemoteJWKSet(new URL(uri))
  keySets.set(uri, keys)
  return keys
}

const verifyIdToken = async (provider: Provider, id_token: string): Promise<JWTPayload> => {
  try {
    decodeJwt(id_token)
    const { payload } = await jwtVerify(id_token, keysOf(provider), {
      issuer: provider.openid.serverMetadata().issuer,
      audience: provider.settings.client_id,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp'],
    })
    return payload
  } catch {
    throw oauthRefusal('invalid request', 'Bad ID token')
  }
}

/** Throws unless the nonce in the token is the SHA-256 of the client's nonce, or both are absent. */
const checkNonce = (claims: JWTPayload, nonce: Text): void => {
  if (Boolean(claims.nonce) !== Boolean(nonce))
    throw oauthRefusal(
      'invalid request',
      'Passed nonce and nonce in id_token should either both exist or not.',
    )
  if (nonce && createHash('sha256').update(nonce).digest('hex') !== claims.nonce)
    throw oauthRefusal('invalid nonce', 'Nonces mismatch')
}

/** Throws if the ID token has an `at_hash` of another access token. */
const checkAccessToken = ({ at_hash }: JWTPayload, access_token: Text): void => {
  if (!access_token || typeof at_hash !== 'string') return
  const half = createHash('sha256').update(access_token).digest().subarray(0, 16)
  if (half.toString('base64url') !== at_hash)
    throw oauthRefusal('invalid request', 'Bad ID token: at_hash does not match')
}

/**
 * Signs in with an ID token that the client got from a provider. With `link_identity`, links the identity to the signed-in
 * account. Throws 400
 * `provider_disabled`, or an OAuth error for an invalid token.
 */
export const signInByIdToken = async (
  services: Services,
  body: IdTokenBody,
  headers: Record<string, string | string[] | undefined>,
): Promise<SessionJson> => {
  const name = findProviderName(services, body)
  if (!body.id_token) throw oauthRefusal('invalid request', 'id_token required')
  const linking = body.link_identity ? await authenticate(services, { headers }) : undefined
  if (linking && !services.auth.can_link)
    throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled')
  if (linking?.needs_factor) throw insufficientAal(401)
  const claims = await verifyIdToken(await services.providers.find(name), body.id_token)
  checkNonce(claims, body.nonce)
  checkAccessToken(claims, body.access_token)
  const profile = profileOf(name, claims)
  return inTransaction(services.db, async (db) => {
    const inside = { ...services, db }
    const user = linking
      ? await linkProfile(inside, linking.user.id, profile)
      : await findOrCreateAccount(inside, profile)
    audit('sign_in', { actor_id: user.id, detail: name })
    return startSession(inside, user, 'oauth')
  })
}
