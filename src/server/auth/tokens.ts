import {
  decodeProtectedHeader,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import { assuranceOf } from './assurance.ts'
import { AuthError } from './auth-error.ts'
import type { KeyRing } from './key-ring.ts'
import type { Method } from './sessions.store.ts'
import type { User } from './users.store.ts'

export const ACCESS_TOKEN_SECONDS = 3600
/** Audience and role of everyone who is signed in. */
export const AUTHENTICATED = 'authenticated'

const claims = z.object({
  sub: z.guid(),
  session_id: z.guid(),
  role: z.literal(AUTHENTICATED),
  exp: z.int(),
})
const serviceClaims = z.object({
  role: z.string().optional(),
  sub: z.string().optional(),
  session_id: z.string().optional(),
})

/** Who a genuine access token speaks for. */
export type Bearer = { user_id: string; session_id: string }

const badToken = (cause: unknown): AuthError =>
  new AuthError(403, 'bad_jwt', 'invalid JWT: unable to parse or verify the token', { cause })

/** Signs and verifies access tokens for one issuer with one ring of keys. */
export const createTokens = (loadRing: () => Promise<KeyRing>, issuer: string) => {
  const open = async (token: string, expected: JWTVerifyOptions): Promise<JWTPayload> => {
    const ring = await loadRing()
    const key = ring.find(decodeProtectedHeader(token))
    if (!key) throw new Error('Unknown key id')
    const { payload } = await jwtVerify(token, key.verifying, {
      algorithms: [key.alg],
      ...expected,
    })
    return payload
  }

  return {
    /** An access token for a session; `methods` are how it was signed in, newest first. */
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
        .setProtectedHeader({ alg, typ: 'JWT', kid })
        .setIssuer(issuer)
        .setSubject(user.id)
        .setAudience(AUTHENTICATED)
        .setIssuedAt(now)
        .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
        .sign(private_key)
    },

    /**
     * Who a token speaks for. The key is one of ours and the algorithm is the key's, whatever its header
     * says; signature, issuer, audience, role and expiry must all hold, else 403 `bad_jwt`.
     */
    verify: async (token: string): Promise<Bearer> => {
      try {
        const payload = await open(token, { typ: 'JWT', issuer, audience: AUTHENTICATED })
        const { sub, session_id } = claims.parse(payload)
        return { user_id: sub, session_id }
      } catch (cause) {
        throw badToken(cause)
      }
    },

    /**
     * The role of a token signed with one of our keys, by whoever holds it; with the session when it
     * names one. Such tokens need neither issuer nor audience. 403 `bad_jwt`.
     */
    verifyRole: async (token: string): Promise<{ role: string; session: Bearer | undefined }> => {
      try {
        const { role, sub, session_id } = serviceClaims.parse(await open(token, {}))
        const session =
          session_id === undefined
            ? undefined
            : { user_id: z.guid().parse(sub), session_id: z.guid().parse(session_id) }
        return { role: role ?? '', session }
      } catch (cause) {
        throw badToken(cause)
      }
    },

    /** The public keys, for whoever verifies tokens without asking us. */
    publicKeys: async () => ({ keys: (await loadRing()).public_jwks }),
  }
}

export type Tokens = ReturnType<typeof createTokens>
