import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import type { OneTimeType } from '#server/db/tables.ts'
import { insertFlow } from './flow-states.store.ts'
import { type OneTimeToken, putToken } from './one-time-tokens.store.ts'
import type { Challenge } from './pkce.ts'

const LINK_BYTES = 28
const CODE_DIGITS = 6
/** Links of flows that end with a code are told by this. */
const PKCE_PREFIX = 'pkce_'

export const isPkceLink = (link: string): boolean => link.startsWith(PKCE_PREFIX)

/** All that is stored of a link. */
export const linkHash = (link: string): Buffer => createHash('sha256').update(link).digest()

/** All that is stored of a code: without the key, six digits could be found by trying them. */
const codeHash = (
  key: Buffer,
  { user_id, type }: { user_id: string; type: OneTimeType },
  code: string,
): Buffer => createHmac('sha256', key).update(`${user_id} ${type} ${code}`).digest()

/** True when a code is the one of this token. */
export const isCodeOf = (key: Buffer, token: OneTimeToken, code: string): boolean =>
  timingSafeEqual(codeHash(key, token, code), token.code_hash)

/**
 * A new link and code for a user, which replace those of the same type. The link is random, not derived
 * from the code, so that guessing six digits is no way to it.
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
    /** How the session of a flow will say that it was signed in. */
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
