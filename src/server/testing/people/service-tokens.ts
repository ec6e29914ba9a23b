import { exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'

/** Creates a private key in the format of AUTH_JWT_KEYS. */
export const createJwk = async (alg: 'ES256' | 'RS256', more: object = {}) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, ...more }
}

/** Returns a token that is signed with a key of AUTH_JWT_KEYS, as other services create it. */
export const signToken = async (
  jwk: Record<string, unknown>,
  claims: JWTPayload,
  header: { alg: string; kid?: string },
): Promise<string> => {
  const { key_ops: _, ...members } = jwk
  const key = await importJWK(members, header.alg)
  return new SignJWT(claims).setProtectedHeader({ typ: 'JWT', ...header }).sign(key)
}
