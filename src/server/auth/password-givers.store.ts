import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'

const hashOf = (browser: string): Buffer => createHash('sha256').update(browser).digest()

export type Giver = {
  /** The name of the browser, by its cookie. */
  browser?: string | undefined
  /** Of a PKCE sign-up. */
  code_challenge?: string | undefined
}

/** Notes what gives the password of an account that waits to be confirmed, in place of what gave it before. */
export const putGiver = async (
  db: Db,
  user_id: string,
  { browser, code_challenge }: Giver,
): Promise<void> => {
  const row = {
    browser_hash: browser ? hashOf(browser) : null,
    code_challenge: code_challenge ?? null,
  }
  await db
    .insertInto('password_givers')
    .values({ user_id, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/**
 * Whether this browser gave the password that waits, and the challenge that its sign-up began with. An
 * administrator's password is anyone's who confirms.
 */
export const findGiver = async (
  db: Db,
  user_id: string,
  browser: string | undefined,
): Promise<{ isCaller: boolean; code_challenge: string | null }> => {
  const giver = await db
    .selectFrom('password_givers')
    .selectAll()
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!giver) return { isCaller: true, code_challenge: null }
  const isCaller = Boolean(browser && giver.browser_hash?.equals(hashOf(browser)))
  return { isCaller, code_challenge: giver.code_challenge }
}

/** Nothing has to be shown for the password of this account any more. */
export const forgetGiver = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('password_givers').where('user_id', '=', user_id).execute()
}
