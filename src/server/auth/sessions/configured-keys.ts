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
  // 2048 bits at least.
  n: base64url.min(342),
  e: base64url,
  d: base64url.optional(),
  p: base64url.optional(),
  q: base64url.optional(),
  dp: base64url.optional(),
  dq: base64url.optional(),
  qi: base64url.optional(),
})
// 256 bits at least: what is shorter can be guessed from one token.
const symmetric = z.object({ ...common, kty: z.literal('oct'), k: base64url.min(43) })
const jwk = z.discriminatedUnion('kty', [elliptic, rsa, symmetric])
type Jwk = z.infer<typeof jwk>
const jwks = z.union([jwk.array().min(1), z.object({ keys: jwk.array().min(1) })])

type Algorithm = 'ES256' | 'RS256' | 'HS256'
/** A key that verifies tokens, and signs them when it holds a private half. */
export type TokenKey = {
  /** Undefined for a symmetric key that was given none: a name made of it would tell of it. */
  kid: string | undefined
  alg: Algorithm
  verifying: CryptoKey | Uint8Array
  /** Undefined for a key that only verifies. */
  private_key: CryptoKey | Uint8Array | undefined
  /** What the world may see of it: nothing of a symmetric key. */
  public_jwk: Record<string, string | string[]> | undefined
}

const ALGORITHMS = { EC: 'ES256', RSA: 'RS256', oct: 'HS256' } as const

const wrong = (what: string, cause?: unknown): ConfigError =>
  new ConfigError(`AUTH_JWT_KEYS: ${what}`, { cause })

const readText = (value: string): string => {
  if (/^\s*[[{]/.test(value)) return value
  try {
    return readFileSync(value, 'utf8')
  } catch (cause) {
    throw wrong('must be an array of JWKs, or the path of a file that can be read', cause)
  }
}

const readJwks = (value: string): Jwk[] => {
  const text = readText(value)
  try {
    const found = jwks.parse(JSON.parse(text))
    return Array.isArray(found) ? found : found.keys
  } catch {
    // What was wrong may quote a private key.
    throw wrong('must be JWKs for ES256 (P-256), RS256 (2048 bits or more) or HS256 (256 or more)')
  }
}

const importAs = async (jwk: Jwk, alg: Algorithm): Promise<CryptoKey | Uint8Array> => {
  // Keys listed for signing and verifying at once cannot be imported with that list.
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

/**
 * A private half signs unless its operations say otherwise; a symmetric key only where they say so, since
 * the services that share it may be meant to sign for themselves alone.
 */
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

/** The secret of AUTH_JWT_SECRET as a key: its bytes are the key, as with the other services that have it. */
const ofSecret = (secret: string): TokenKey => {
  const bytes = new TextEncoder().encode(secret)
  const names = { kid: undefined, public_jwk: undefined }
  return { ...names, alg: 'HS256', verifying: bytes, private_key: bytes }
}

/**
 * The keys of AUTH_JWT_KEYS, in their order, then the one of AUTH_JWT_SECRET; none when neither is set. A
 * ConfigError that never quotes them when one is not usable, two have one id, or none can sign.
 */
export const readConfiguredKeys = async (
  jwt_keys: string | undefined,
  jwt_secret?: string | undefined,
): Promise<TokenKey[]> => {
  const list = jwt_keys ? readJwks(jwt_keys) : []
  const listed = await Promise.all(list.map(readKey)).catch((): never => {
    throw wrong('one of the keys cannot be imported')
  })
  const kids = listed.flatMap(({ kid }) => kid ?? [])
  if (new Set(kids).size < kids.length) throw wrong('two keys have one kid')
  const keys = jwt_secret ? [...listed, ofSecret(jwt_secret)] : listed
  if (keys.length > 0 && !keys.some(({ private_key }) => private_key))
    throw wrong('none of the keys can sign')
  return keys
}
