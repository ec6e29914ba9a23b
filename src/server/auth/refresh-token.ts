import { createHash, createHmac, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** True when a text could be a refresh token of ours; says nothing about its being known. */
export const isRefreshToken = (text: string): boolean => SHAPE.test(text)

/** The first refresh token of a session: 256 random bits. */
export const firstRefreshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** The token that replaces another: derived from it, always the same one, and unpredictable without the key. */
export const nextRefreshToken = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** All that is stored of a refresh token. */
export const refreshTokenHash = (text: string): Buffer => createHash('sha256').update(text).digest()
