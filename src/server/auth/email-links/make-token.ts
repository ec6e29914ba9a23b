import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import type { OneTimeType } from '#server/db/tables.ts'
import { insertFlow } from './flow-states.store.ts'
import { type OneTimeToken, putToken } from './one-time-tokens.store.ts'
import type { Challenge } from './pkce.ts'

const LINK_BYTES = 28
const CODE_DIGITS = 6
/** Prefix of links of PKCE flows. */
const PKCE_PREFIX = 'pkce_'

/** Returns true if a link belongs to a PKCE flow. */
export const isPkceLink = (link: string): boolean => link.startsWith(PKCE_PREFIX)

/** Returns the stored hash of a link. */
export const linkHash = (link: string): Buffer => createHash('sha256').update(link).digest()

/** Returns the stored hash of a code. The hash has a key, because six digits could be found by trying all of them. */
const codeHash = (
  key: Buffer,
  { user_id, type }: { user_id: string; type: OneTimeType },
  code: string,
): Buffer => createHmac('sha256', key).update(`${user_id} ${type} ${code}`).digest()

/** Returns true if a code belongs to this token. */
export const isCodeOf = (key: Buffer, token: OneTimeToken, code: string): boolean =>
  timingSafeEqual(codeHash(key, token, code), token.code_hash)

/**
 * Creates the token of a mail: a random link and a six-digit code. Replaces the user's token of the same type. With
 * `drops_password`, the confirmation of the account deletes its password.
 */
export const makeToken = async (
  { db, codeKey }: { db: Db; codeKey: Buffer },
  {
    challenge,
    method,
    ...token
  }: {
    user_id: string
    type: OneTimeType
    relates_to: string
    drops_password: boolean
    challenge: Challenge | undefined
    /** Sign-in method of the future session. */
    method: string
  },
): Promise<{ link: string; code: string }> => {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const random = randomBytes(LINK_BYTES).toString('hex')
  const link = challenge ? `${PKCE_PREFIX}${random}` : random
  const flow_id = challenge
    ? await insertFlow(db, { user_id: token.user_id, method, challenge })
    : null
  await putToken(db, {
    ...token,
    flow_id,
    link_hash: linkHash(link),
    code_hash: codeHash(codeKey, token, code),
  })
  return { link, code }
}
