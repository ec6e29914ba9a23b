import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { OutboxChannel } from '#domain/common/vocabulary.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Derives the 256-bit key of one purpose from SECRET_KEY; no two purposes share a key. */
export const deriveKey = (secretKey: string | Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))

/** Encrypts text or bytes (AES-256-GCM), so that they can be decrypted only with the same key and label. */
export const seal = (key: Buffer, label: string, plain: string | Buffer): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
  const sealed = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts sealed text. Throws if the key, the label or any bit differs. */
export const unseal = (key: Buffer, label: string, sealed: Buffer): string =>
  unsealBytes(key, label, sealed).toString('utf8')

/** Decrypts sealed bytes. Throws if the key, the label or any bit differs. */
export const unsealBytes = (key: Buffer, label: string, sealed: Buffer): Buffer => {
  const tagEnd = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(label))
    .setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd))
  return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()])
}

/** Tokens of one purpose that only this installation can create and read. */
export type SealedTokens<T> = {
  write: (value: T) => string
  /** Returns the content of a token; undefined if the token is forged or altered, or its content has another shape. */
  read: (token: string) => T | undefined
}

/** Creates tokens that hold a value of `shape`, encrypted with the key of `purpose`. */
export const createSealedTokens = <T>(
  secretKey: string | Uint8Array,
  purpose: string,
  shape: z.ZodType<T>,
): SealedTokens<T> => {
  const key = deriveKey(secretKey, purpose)
  const open = (token: string): string | undefined => {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.toString('base64url') !== token) return undefined
    try {
      return unseal(key, purpose, bytes)
    } catch {
      // The token is not one of this purpose.
      return undefined
    }
  }
  return {
    write: (value) => seal(key, purpose, JSON.stringify(value)).toString('base64url'),
    read: (token) => {
      const text = open(token)
      return text === undefined ? undefined : shape.safeParse(JSON.parse(text)).data
    },
  }
}

/** Row that a secret is bound to; in any other row it cannot be decrypted. */
export type SealedRow = {
  id: string
  user_id: string
  provider: OutboxChannel
  key_version: number
}

const labelOf = ({ provider, user_id, id, key_version }: SealedRow): string =>
  `${provider}|${user_id}|${id}|${key_version}`

/** Creates the vault that encrypts secrets of connections, and persons to be erased, under SECRET_KEY. */
export const createVault = (secretKey: string | Uint8Array) => {
  const key = deriveKey(secretKey, 'integrations/connections')
  return {
    seal: (row: SealedRow, secret: string): Buffer => seal(key, labelOf(row), secret),
    /** Decrypts a secret. Throws if the row or SECRET_KEY differs from those it was encrypted with. */
    open: (row: SealedRow, sealed: Buffer): string => unseal(key, labelOf(row), sealed),
  }
}
/** Encrypts and decrypts secrets, each for one row of the database. */
export type Vault = ReturnType<typeof createVault>
