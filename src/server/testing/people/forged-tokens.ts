import { createHmac, createPublicKey } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { loadSigningKey } from '#server/auth/sessions/key-ring.ts'
import type { Db } from '#server/db/database.ts'

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part: string): JWTPayload => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Secrets that appear in documentation and examples. */
const KNOWN_SECRETS = [
  '',
  'secret',
  'changeme',
  'your-256-bit-secret',
  'super-secret-jwt-token-with-at-least-32-characters-long',
]

const hs256 = (claims: JWTPayload, secret: string | Buffer): string => {
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

type Tokens = { victims: string; strangers: string }

/** Returns forged tokens that claim to be of the victim, by their defect. */
export const forgeTokens = async (
  { db, secretKey }: { db: Db; secretKey: string },
  { victims, strangers }: Tokens,
): Promise<Record<string, string[]>> => {
  const [head = '', claims = '', signature = ''] = victims.split('.')
  const payload = decode(claims)
  const ours = await loadSigningKey(db, secretKey)
  /** Returns a token with changed claims that is signed with the real key. */
  const genuine = async (changes: JWTPayload): Promise<string> => {
    const header = { alg: 'ES256', typ: 'JWT', kid: ours.kid }
    const input = `${encode(header)}.${encode({ ...payload, ...changes })}`
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signed = await crypto.subtle.sign(algorithm, ours.private_key, Buffer.from(input))
    return `${input}.${Buffer.from(signed).toString('base64url')}`
  }
  const unsigned = (alg: string): string => `${encode({ alg, typ: 'JWT' })}.${claims}.`
  const [theirHead = '', theirClaims = '', theirSignature = ''] = strangers.split('.')
  const asVictim = encode({ ...decode(theirClaims), sub: payload.sub })
  const key = createPublicKey({ key: ours.public_jwk, format: 'jwk' })
  const past = Math.floor(Date.now() / 1000) - 1
  return {
    'alg=none': [unsigned('none')],
    'alg=nOnE': [unsigned('nOnE'), unsigned('NONE')],
    'signature removed': [`${head}.${claims}.`, `${head}.${claims}`],
    altered: [`${head}.${claims}.${signature.slice(0, -4)}AAAA`],
    'foreign sub': [`${theirHead}.${asVictim}.${theirSignature}`],
    'default secrets': KNOWN_SECRETS.map((secret) => hs256(payload, secret)),
    'key confusion': [
      hs256(payload, key.export({ format: 'pem', type: 'spki' })),
      hs256(payload, JSON.stringify(ours.public_jwk)),
    ],
    expired: [await genuine({ exp: past })],
    'wrong aud': [await genuine({ aud: 'anon' })],
    'no exp': [await genuine({ exp: undefined })],
  }
}
