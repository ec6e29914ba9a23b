import { canInvite, isSignUpOpen, type SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import { signupDisabled } from '#server/auth/auth-error.ts'
import type { AuthConfig } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'

type Installation = { db: Db; auth: Pick<AuthConfig, 'sign_up_mode'> }

/**
 * Returns the rule for new accounts: the one that an administrator chose, or else that of AUTH_SIGNUP. Each call
 * queries the database, so that a change applies to every process at once.
 */
export const findSignUpMode = async ({ db, auth }: Installation): Promise<SignUpMode> => {
  const row = await db.selectFrom('installation_settings').select('sign_up_mode').executeTakeFirst()
  return row?.sign_up_mode ?? auth.sign_up_mode
}

/** Stores the rule for new accounts. */
export const saveSignUpMode = async (db: Db, sign_up_mode: SignUpMode): Promise<void> => {
  await db
    .insertInto('installation_settings')
    .values({ sign_up_mode })
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet({ sign_up_mode }))
    .execute()
}

/** Throws 422 `signup_disabled` unless people may create an account by themselves. */
export const requireOpenSignUp = async (installation: Installation): Promise<void> => {
  if (!isSignUpOpen(await findSignUpMode(installation))) throw signupDisabled()
}

/** Throws 422 `signup_disabled` if not even invited people get an account. */
export const requireInvitations = async (installation: Installation): Promise<void> => {
  if (!canInvite(await findSignUpMode(installation))) throw signupDisabled()
}
