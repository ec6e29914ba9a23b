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

/** Derives the 256-bit key of one purpose from SECRET_KEY; no two purposes share a key. */
export const deriveKey = (secretKey: string | Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))

/** Encrypts text (AES-256-GCM), so that it can be decrypted only with the same key and label. */
export const seal = (key: Buffer, label: string, plain: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts sealed text. Throws if the key, the label or any bit differs. */
export const unseal = (key: Buffer, label: string, sealed: Buffer): string => {
  const tagEnd = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(label))
    .setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd))
  return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]).toString(
    'utf8',
  )
}

/** Tokens of one purpose that everyone can read and only this installation can create. */
export type SignedTokens<T> = {
  write: (value: T) => string
  /** Returns the content of a token; undefined if its signature or shape is wrong. */
  read: (token: string) => T | undefined
}

/** Creates tokens that hold a value of `shape`, signed with the key of `purpose`. */
export const createSignedTokens = <T>(
  secretKey: string | Uint8Array,
  purpose: string,
  shape: z.ZodType<T>,
): SignedTokens<T> => {
  const key = deriveKey(secretKey, purpose)
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    write: (value) => {
      const text = Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${text}.${sign(text).toString('base64url')}`
    },
    read: (token) => {
      const [text = '', signature = ''] = token.split('.')
      const actual = Buffer.from(signature, 'base64url')
      const expected = sign(text)
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
      return shape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data
    },
  }
}

/** Row that a secret is bound to; in any other row it cannot be decrypted. */
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
    /** Decrypts a secret. Throws if the row or SECRET_KEY differs from those it was encrypted with. */
    open: (row: SealedRow, sealed: Buffer): string => unseal(key, labelOf(row), sealed),
  }
}
/** Encrypts and decrypts the secrets of connections. */
export type Vault = ReturnType<typeof createVault>
