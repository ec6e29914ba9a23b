import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'

const hashOf = (browser: string): Buffer => createHash('sha256').update(browser).digest()

/** Origin of a password: browser and PKCE challenge of the sign-up that set the password. */
export type PasswordOrigin = {
  /** Id of the browser, from its cookie. */
  browser?: string | undefined
  /** Challenge of a PKCE sign-up. */
  code_challenge?: string | undefined
}

/** Stores the origin of the password of an unconfirmed account, in place of the previous origin. */
export const storePasswordOrigin = async (
  db: Db,
  user_id: string,
  { browser, code_challenge }: PasswordOrigin,
): Promise<void> => {
  const row = {
    browser_hash: browser ? hashOf(browser) : null,
    code_challenge: code_challenge ?? null,
  }
  await db
    .insertInto('password_origins')
    .values({ user_id, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/**
 * Returns the PKCE challenge of the sign-up that set the password. `isCaller` is true if the sign-up came from this
 * browser, or if no origin is stored, because then a stranger did not set the password.
 */
export const findPasswordOrigin = async (
  db: Db,
  user_id: string,
  browser: string | undefined,
): Promise<{ isCaller: boolean; code_challenge: string | null }> => {
  const password_origin = await db
    .selectFrom('password_origins')
    .selectAll()
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!password_origin) return { isCaller: true, code_challenge: null }
  const isCaller = Boolean(browser && password_origin.browser_hash?.equals(hashOf(browser)))
  return { isCaller, code_challenge: password_origin.code_challenge }
}

/** Deletes the origin of the account's password, so that a confirmation no longer needs the same browser. */
export const deletePasswordOrigin = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('password_origins').where('user_id', '=', user_id).execute()
}
