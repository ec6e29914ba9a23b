import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { z } from 'zod'
import type { ChannelName } from '#domain/common/vocabulary.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The 256-bit key that SECRET_KEY gives for one purpose; no two purposes share one. */
export const deriveKey = (secretKey: string | Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))

/** Encrypts (AES-256-GCM) so that it opens only with the same key and under the same label. */
export const seal = (key: Buffer, label: string, plain: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** What was sealed; throws when key, label or a single bit differ. */
export const unseal = (key: Buffer, label: string, sealed: Buffer): string => {
  const tagEnd = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(label))
    .setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd))
  return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]).toString(
    'utf8',
  )
}

/** Writes and reads tokens of one purpose: what they say can be read by all, and changed by none. */
export type SignedTokens<T> = {
  write: (given: T) => string
  /** What a token says; undefined of one that is none of ours or was altered. */
  read: (token: string) => T | undefined
}

/** Tokens that say what `shape` has, signed with the key that SECRET_KEY gives for `purpose`. */
export const createSignedTokens = <T>(
  secretKey: string | Uint8Array,
  purpose: string,
  shape: z.ZodType<T>,
): SignedTokens<T> => {
  const key = deriveKey(secretKey, purpose)
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    write: (given) => {
      const text = Buffer.from(JSON.stringify(given)).toString('base64url')
      return `${text}.${sign(text).toString('base64url')}`
    },
    read: (token) => {
      const [text = '', signature = ''] = token.split('.')
      const given = Buffer.from(signature, 'base64url')
      const own = sign(text)
      if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined
      return shape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data
    },
  }
}

/** What a sealed secret is bound to: in any other row it does not open. */
export type SealedRow = {
  id: string
  user_id: string
  provider: ChannelName
  key_version: number
}

const labelOf = ({ provider, user_id, id, key_version }: SealedRow): string =>
  `${provider}|${user_id}|${id}|${key_version}`

/** Seals and opens the secrets of connections under SECRET_KEY. */
export const createVault = (secretKey: string | Uint8Array) => {
  const key = deriveKey(secretKey, 'integrations/connections')
  return {
    seal: (row: SealedRow, secret: string): Buffer => seal(key, labelOf(row), secret),
    /** Throws when the row is not the one that the secret was sealed for, or SECRET_KEY is another. */
    open: (row: SealedRow, sealed: Buffer): string => unseal(key, labelOf(row), sealed),
  }
}
export type Vault = ReturnType<typeof createVault>
