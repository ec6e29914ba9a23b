import { exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'

/** A private key as AUTH_JWT_KEYS takes it. */
export const newJwk = async (alg: 'ES256' | 'RS256', more: object = {}) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, ...more }
}

/** A token signed with a key of AUTH_JWT_KEYS, as another service makes one. */
export const signWith = async (
  jwk: Record<string, unknown>,
  claims: JWTPayload,
  header: { alg: string; kid?: string },
): Promise<string> => {
  const { key_ops: _, ...members } = jwk
  const key = await importJWK(members, header.alg)
  return new SignJWT(claims).setProtectedHeader({ typ: 'JWT', ...header }).sign(key)
}
