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

/** Sign-in methods by mail. Their sessions may set a password without the current one, because it may be forgotten. */
const MAIL_METHODS = ['otp', 'email/signup', 'magiclink', 'recovery', 'invite', 'email_change']

/** Returns true if `nonce` is the code of a reauthentication mail. Attempts are counted per session. */
const isReauthenticationCode = async (
  services: Services,
  { user_id, session_id }: Bearer,
  nonce: string,
): Promise<boolean> => {
  const { db, codeKey } = services
  const uncountAttempt = await countAttempt(services, 'code', { user_id, session_id })
  const tokens = await tryCodes(db, { user_id }, ['reauthentication'])
  const isCorrect = tokens.some((token) => isCodeOf(codeKey, token, nonce))
  if (isCorrect) await uncountAttempt(db)
  return isCorrect
}

const checkNonce = async (services: Services, bearer: Bearer, nonce: Text): Promise<void> => {
  if (!nonce && (await isSessionRecent(services.db, bearer.session_id))) return
  if (!nonce)
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
  if (!(await isReauthenticationCode(services, bearer, nonce)))
    throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
}

const checkCurrentPassword = async (
  services: Services,
  { user_id, session_id }: Bearer,
  user: User,
  current_password: Text,
): Promise<void> => {
  if (!current_password) {
    const methods = await listMethods(services.db, session_id)
    const isByMail = methods.some(({ method }) => MAIL_METHODS.includes(method))
    if (isByMail || user.encrypted_password === null) return
    throw new AuthError(
      400,
      'current_password_required',
      'Current password required when setting new password.',
    )
  }
  const uncountAttempt = await countAttempt(services, 'password', { user_id, session_id })
  const isCorrect = await services.hashing(() =>
    isPassword(current_password, user.encrypted_password ?? DUMMY_HASH),
  )
  if (isCorrect) await uncountAttempt(services.db)
  if (!isCorrect)
    throw new AuthError(400, 'current_password_invalid', 'Current password is incorrect.')
}

/**
 * Checks the configured requirement for a change of password (AUTH_PASSWORD_CHANGE). `recent` requires a session of the
 * last 24 hours or a mailed code; `current` requires the current password. Throws 400, 422 or 429 otherwise.
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
    await checkCurrentPassword(services, bearer, user, current_password)
}
