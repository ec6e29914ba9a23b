import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { AuthError } from './auth-error.ts'
import type { Method } from './sessions.store.ts'
import { ALGORITHM, type SigningKey } from './signing-key.ts'
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

/** Who a genuine access token speaks for. */
export type Bearer = { user_id: string; session_id: string }

const badToken = (cause: unknown): AuthError =>
  new AuthError(403, 'bad_jwt', 'invalid JWT: unable to parse or verify the token', { cause })

/** Signs and verifies access tokens for one issuer with one key. */
export const createTokens = (loadKey: () => Promise<SigningKey>, issuer: string) => ({
  /** An access token for a session; `methods` are how it was signed in, newest first. */
  sign: async (user: User, session_id: string, methods: Method[], now: number): Promise<string> => {
    const { kid, private_key } = await loadKey()
    return new SignJWT({
      email: user.email,
      phone: '',
      app_metadata: user.app_metadata,
      user_metadata: user.user_metadata,
      role: AUTHENTICATED,
      aal: 'aal1',
      amr: methods,
      session_id,
      is_anonymous: false,
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
      .setIssuer(issuer)
      .setSubject(user.id)
      .setAudience(AUTHENTICATED)
      .setIssuedAt(now)
      .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
      .sign(private_key)
  },

  /**
   * Who a token speaks for. The algorithm and the key are ours, whatever its header says; signature,
   * issuer, audience, role and expiry must all hold, else 403 `bad_jwt`.
   */
  verify: async (token: string): Promise<Bearer> => {
    const { kid, public_key } = await loadKey()
    try {
      const { payload, protectedHeader } = await jwtVerify(token, public_key, {
        algorithms: [ALGORITHM],
        typ: 'JWT',
        issuer,
        audience: AUTHENTICATED,
      })
      if (protectedHeader.kid !== kid) throw new Error('Unknown key id')
      const { sub, session_id } = claims.parse(payload)
      return { user_id: sub, session_id }
    } catch (cause) {
      throw badToken(cause)
    }
  },

  /** The public keys, for whoever verifies tokens without asking us. */
  publicKeys: async () => ({ keys: [(await loadKey()).public_jwk] }),
})

export type Tokens = ReturnType<typeof createTokens>
