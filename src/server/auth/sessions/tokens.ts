import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import type { User } from '#server/auth/accounts/users.store.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import type { TokenKey } from './configured-keys.ts'
import type { KeyRing } from './key-ring.ts'
import { assuranceOf, type Method } from './sessions.store.ts'

/** Lifetime of an access token in seconds. */
export const ACCESS_TOKEN_SECONDS = 3600
/** Audience and role in the access tokens of signed-in users. */
export const AUTHENTICATED = 'authenticated'

const claims = z.object({
  sub: z.guid(),
  session_id: z.guid(),
  role: z.literal(AUTHENTICATED),
  exp: z.int(),
})
const serviceClaims = z.object({ role: z.string().optional(), sub: z.string().optional() })
const sessionClaims = z.object({ sub: z.guid(), session_id: z.guid() })

/** User and session of a valid access token. */
export type Bearer = { user_id: string; session_id: string }

/** Error for a token with an unknown key id. */
class UnknownKey extends Error {}

/** Returns the reason of a failed verification in the wording of the protocol, without parts of the token. */
const reasonOf = (error: unknown): string => {
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'token signature is invalid'
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'token signature is invalid: signing method is invalid'
  if (error instanceof UnknownKey) return 'token is unverifiable: unknown key'
  if (error instanceof errors.JWTExpired) return 'token has invalid claims: token is expired'
  if (error instanceof errors.JWTClaimValidationFailed)
    return `token has invalid claims: ${error.claim}`
  return 'token is malformed'
}

const badToken = (message: string, cause: unknown): AuthError =>
  new AuthError(403, 'bad_jwt', message, { cause })

/** Returns the validated claims. Throws 403 with the name of the first invalid claim. */
const readClaims = <Shape extends z.ZodType>(
  shape: Shape,
  payload: JWTPayload,
): z.output<Shape> => {
  const { data, error } = shape.safeParse(payload)
  if (!error) return data
  const name = String(error.issues[0]?.path[0])
  const isMissing = name === 'sub' && payload.sub === undefined
  throw badToken(`invalid claim: ${isMissing ? 'missing sub claim' : name}`, error)
}

/**
 * Returns the keys that may have signed a token. Without a key id in the token, these are all symmetric keys. The
 * algorithm is that of the key, so that a forged header cannot choose it.
 */
const candidateKeys = (
  keys: readonly TokenKey[],
  { kid, alg }: { kid?: string | undefined; alg?: string | undefined },
): TokenKey[] =>
  keys.filter((key) => (kid === undefined ? alg === 'HS256' && key.alg === alg : key.kid === kid))

/** Returns the payload of a token if one of the keys signed it. Several keys are possible without a key id. */
const verifyByOneOf = async (
  keys: TokenKey[],
  token: string,
  expected: JWTVerifyOptions,
): Promise<JWTPayload> => {
  let refusal: Error = new UnknownKey()
  for (const { verifying, alg } of keys)
    try {
      return (await jwtVerify(token, verifying, { algorithms: [alg], ...expected })).payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      refusal = error
    }
  throw refusal
}

/** Caches the loaded key ring. A failure is not cached, so that the next call tries again. */
const cacheKeyRing = (load: () => Promise<KeyRing>): (() => Promise<KeyRing>) => {
  let loading: Promise<KeyRing> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** Signs and verifies access tokens for one issuer with one ring of keys, which is loaded at the first use. */
export const createTokens = (load: () => Promise<KeyRing>, issuer: string) => {
  const loadRing = cacheKeyRing(load)
  const verifySignature = async (
    token: string,
    expected: JWTVerifyOptions,
  ): Promise<JWTPayload> => {
    const { keys } = await loadRing()
    try {
      const candidates = candidateKeys(keys, decodeProtectedHeader(token))
      return await verifyByOneOf(candidates, token, expected)
    } catch (error) {
      const message = `invalid JWT: unable to parse or verify signature, ${reasonOf(error)}`
      throw badToken(message, error)
    }
  }

  return {
    /** Returns an access token of a session; `methods` are its sign-in methods, newest first. */
    sign: async (
      user: User,
      session_id: string,
      methods: Method[],
      now: number,
    ): Promise<string> => {
      const { kid, alg, private_key } = (await loadRing()).signing
      return new SignJWT({
        email: user.email ?? '',
        phone: user.phone ?? '',
        app_metadata: user.app_metadata,
        user_metadata: user.user_metadata,
        role: AUTHENTICATED,
        aal: assuranceOf(methods),
        amr: methods,
        session_id,
        is_anonymous: user.is_anonymous,
      })
        .setProtectedHeader({ alg, typ: 'JWT', ...(kid !== undefined && { kid }) })
        .setIssuer(issuer)
        .setSubject(user.id)
        .setAudience(AUTHENTICATED)
        .setIssuedAt(now)
        .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
        .sign(private_key)
    },

    /**
     * Verifies signature, issuer, audience, role and expiry of a token and returns its user and session. Throws 403
     * `bad_jwt`.
     */
    verify: async (token: string): Promise<Bearer> => {
      const payload = await verifySignature(token, { typ: 'JWT', issuer, audience: AUTHENTICATED })
      const { sub, session_id } = readClaims(claims, payload)
      return { user_id: sub, session_id }
    },

    /**
     * Returns role and optional session of a token that one of our keys signed. Does not check issuer and audience, because
     * other services with the key may create such tokens. Throws 403 `bad_jwt`.
     */
    verifyRole: async (token: string): Promise<{ role: string; session: Bearer | undefined }> => {
      const payload = await verifySignature(token, {})
      const { role = '' } = readClaims(serviceClaims, payload)
      if (payload.session_id === undefined) return { role, session: undefined }
      const { sub, session_id } = readClaims(sessionClaims, payload)
      return { role, session: { user_id: sub, session_id } }
    },

    /** Returns the public keys for services that verify tokens. */
    publicKeys: async () => ({ keys: (await loadRing()).public_jwks }),

    /**
     * Returns the OpenID Connect discovery document for gateways that verify access tokens. Registration of clients and
     * userinfo are not supported.
     */
    discovery: async () => {
      const { signing, public_jwks } = await loadRing()
      const algorithms = new Set([signing.alg, ...public_jwks.map(({ alg }) => String(alg))])
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        response_types_supported: ['code', 'token'],
        response_modes_supported: ['query', 'fragment'],
        grant_types_supported: ['password', 'refresh_token'],
        code_challenge_methods_supported: ['S256', 'plain'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [...algorithms],
        token_endpoint_auth_methods_supported: ['none'],
        claims_supported: [
          'iss',
          'sub',
          'aud',
          'exp',
          'iat',
          'email',
          'phone',
          'role',
          'aal',
          'amr',
        ],
      }
    },
  }
}

/** Signer and verifier of access tokens. */
export type Tokens = ReturnType<typeof createTokens>
