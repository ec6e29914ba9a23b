import type { SignedUp, TestApp } from './test-app.ts'

/** Addresses of `ADMIN_EMAILS` in tests. */
export const ADMIN_EMAILS = ['cheffe@exemple.fr', 'adjoint@exemple.fr'] as const

/** Environment of an app with administrators. */
export const ADMIN_ENV = { ADMIN_EMAILS: ADMIN_EMAILS.join(',') }

/** Signs up an account with an address of `ADMIN_EMAILS`, and proves the address as a followed link does. */
export const signUpAdministrator = async (
  app: Pick<TestApp, 'signUp' | 'db'>,
  email: string = ADMIN_EMAILS[0],
): Promise<SignedUp> => {
  const signed = await app.signUp(email)
  await app.db
    .updateTable('users')
    .set({ email_proven_by: 'mail' })
    .where('id', '=', signed.user_id)
    .execute()
  return signed
}
