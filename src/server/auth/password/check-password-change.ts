import type { User } from '#server/auth/accounts/users.store.ts'
import { countAttempt } from '#server/auth/attempts.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import { isCodeOf } from '#server/auth/email-links/make-token.ts'
import { tryCodes } from '#server/auth/email-links/one-time-tokens.store.ts'
import type { Text, UserBody } from '#server/auth/request-bodies.ts'
import type { Services } from '#server/auth/services.ts'
import { isSessionRecent, listMethods } from '#server/auth/sessions/sessions.store.ts'
import type { Bearer } from '#server/auth/sessions/tokens.ts'
import { DUMMY_HASH, isPassword } from './passwords.ts'

/** Sign-in methods by mail, whose users may not know the old password. */
const BY_MAIL = ['otp', 'email/signup', 'magiclink', 'recovery', 'invite', 'email_change']

/** Checks a nonce; attempts are counted per session. */
const isNonce = async (
  services: Services,
  { user_id, session_id }: Bearer,
  nonce: string,
): Promise<boolean> => {
  const { db, codeKey } = services
  const takeBack = await countAttempt(services, 'code', { user_id, session_id })
  const tokens = await tryCodes(db, { user_id }, ['reauthentication'])
  const isRight = tokens.some((token) => isCodeOf(codeKey, token, nonce))
  if (isRight) await takeBack(db)
  return isRight
}

const checkNonce = async (services: Services, bearer: Bearer, nonce: Text): Promise<void> => {
  if (!nonce && (await isSessionRecent(services.db, bearer.session_id))) return
  if (!nonce)
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
  if (!(await isNonce(services, bearer, nonce)))
    throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
}

const checkCurrent = async (
  services: Services,
  { user_id, session_id }: Bearer,
  user: User,
  current_password: Text,
): Promise<void> => {
  if (!current_password) {
    const methods = await listMethods(services.db, session_id)
    const isByMail = methods.some(({ method }) => BY_MAIL.includes(method))
    if (isByMail || user.encrypted_password === null) return
    throw new AuthError(
      400,
      'current_password_required',
      'Current password required when setting new password.',
    )
  }
  const takeBack = await countAttempt(services, 'password', { user_id, session_id })
  const isRight = await services.hashing(() =>
    isPassword(current_password, user.encrypted_password ?? DUMMY_HASH),
  )
  if (isRight) await takeBack(services.db)
  if (!isRight)
    throw new AuthError(400, 'current_password_invalid', 'Current password is incorrect.')
}

/**
 * Checks the requirements for a change of password (AUTH_PASSWORD_CHANGE): signed in, signed in recently or with a
 * mailed code, or the current password.
 */
export const checkPasswordChange = async (
  services: Services,
  bearer: Bearer,
  user: User,
  { current_password, nonce }: Pick<UserBody, 'current_password' | 'nonce'>,
): Promise<void> => {
  const rule = services.auth.password_change
  if (rule === 'recent' || nonce) await checkNonce(services, bearer, nonce)
  if (rule === 'current' || current_password)
    await checkCurrent(services, bearer, user, current_password)
}
