import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { deriveKey } from './sealing.ts'

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
