import { readFileSync } from 'node:fs'
import { type CryptoKey, calculateJwkThumbprint, importJWK } from 'jose'
import { z } from 'zod'
import { ConfigError } from '#server/config/config.ts'

const common = {
  kid: z.string().min(1).max(200).optional(),
  key_ops: z.string().array().optional(),
}
const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/)
const elliptic = z.object({
  ...common,
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: base64url,
  y: base64url,
  d: base64url.optional(),
})
const rsa = z.object({
  ...common,
  kty: z.literal('RSA'),
  // At least 2048 bits.
  n: base64url.min(342),
  e: base64url,
  d: base64url.optional(),
  p: base64url.optional(),
  q: base64url.optional(),
  dp: base64url.optional(),
  dq: base64url.optional(),
  qi: base64url.optional(),
})
// At least 256 bits, because shorter keys can be guessed from one token.
const symmetric = z.object({ ...common, kty: z.literal('oct'), k: base64url.min(43) })
const jwk = z.discriminatedUnion('kty', [elliptic, rsa, symmetric])
type Jwk = z.infer<typeof jwk>
const jwks = z.union([jwk.array().min(1), z.object({ keys: jwk.array().min(1) })])

type Algorithm = 'ES256' | 'RS256' | 'HS256'
/** Key that verifies tokens, and signs them if it has a private part. */
export type TokenKey = {
  /** Key id. Undefined for a symmetric key without an id, because a derived id would be a hash of the secret. */
  kid: string | undefined
  alg: Algorithm
  verifying: CryptoKey | Uint8Array
  /** Private part; undefined for a verification key. */
  private_key: CryptoKey | Uint8Array | undefined
  /** Public part; undefined for a symmetric key. */
  public_jwk: Record<string, string | string[]> | undefined
}

const ALGORITHMS = { EC: 'ES256', RSA: 'RS256', oct: 'HS256' } as const

const keysError = (reason: string, cause?: unknown): ConfigError =>
  new ConfigError(`AUTH_JWT_KEYS: ${reason}`, { cause })

const readText = (value: string): string => {
  if (/^\s*[[{]/.test(value)) return value
  try {
    return readFileSync(value, 'utf8')
  } catch (cause) {
    throw keysError('must be an array of JWKs, or the path of a file that can be read', cause)
  }
}

const readJwks = (value: string): Jwk[] => {
  const text = readText(value)
  try {
    const found = jwks.parse(JSON.parse(text))
    return Array.isArray(found) ? found : found.keys
  } catch {
    // Error details may contain a private key.
    throw keysError(
      'must be JWKs for ES256 (P-256), RS256 (2048 bits or more) or HS256 (256 or more)',
    )
  }
}

const importAs = async (jwk: Jwk, alg: Algorithm): Promise<CryptoKey | Uint8Array> => {
  // WebCrypto refuses keys with both operations, `sign` and `verify`.
  const { key_ops: _, ...members } = jwk
  return importJWK({ ...members, ext: false }, alg)
}

const publicMembers = (jwk: Jwk): Jwk => {
  switch (jwk.kty) {
    case 'EC':
      return { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y }
    case 'RSA':
      return { kty: jwk.kty, n: jwk.n, e: jwk.e }
    default:
      return { kty: jwk.kty, k: jwk.k }
  }
}

/** Returns true if a key may sign: a private key by default, a symmetric key only if its operations allow it. */
const canSign = (jwk: Jwk): boolean =>
  jwk.kty === 'oct'
    ? (jwk.key_ops?.includes('sign') ?? false)
    : jwk.d !== undefined && (jwk.key_ops?.includes('sign') ?? true)

const readKey = async (jwk: Jwk): Promise<TokenKey> => {
  const alg = ALGORITHMS[jwk.kty]
  const members = publicMembers(jwk)
  const isShared = members.kty === 'oct'
  const kid = jwk.kid ?? (isShared ? undefined : await calculateJwkThumbprint(members))
  return {
    kid,
    alg,
    verifying: await importAs(members, alg),
    private_key: canSign(jwk) ? await importAs(jwk, alg) : undefined,
    public_jwk: isShared
      ? undefined
      : { ...toText(members), ...(kid && { kid }), alg, use: 'sig', key_ops: ['verify'] },
  }
}

const toText = (members: object): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'string'))

/** Returns the symmetric key of AUTH_JWT_SECRET. The key consists of the UTF-8 bytes of the text. */
const keyOfSecret = (secret: string): TokenKey => {
  const bytes = new TextEncoder().encode(secret)
  const names = { kid: undefined, public_jwk: undefined }
  return { ...names, alg: 'HS256', verifying: bytes, private_key: bytes }
}

/**
 * Returns the keys of AUTH_JWT_KEYS, then the key of AUTH_JWT_SECRET. Throws a ConfigError if a key is unusable, two keys
 * have one id, or no key can sign. The error contains no key.
 */
export const readConfiguredKeys = async (
  jwt_keys: string | undefined,
  jwt_secret?: string | undefined,
): Promise<TokenKey[]> => {
  const list = jwt_keys ? readJwks(jwt_keys) : []
  const listed = await Promise.all(list.map(readKey)).catch((): never => {
    throw keysError('one of the keys cannot be imported')
  })
  const kids = listed.flatMap(({ kid }) => kid ?? [])
  if (new Set(kids).size < kids.length) throw keysError('two keys have one kid')
  const keys = jwt_secret ? [...listed, keyOfSecret(jwt_secret)] : listed
  if (keys.length > 0 && !keys.some(({ private_key }) => private_key))
    throw keysError('none of the keys can sign')
  return keys
}
