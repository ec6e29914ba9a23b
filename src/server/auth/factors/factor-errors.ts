import { AuthError } from '#server/auth/auth-error.ts'

export const factorNotFound = (): AuthError =>
  new AuthError(404, 'mfa_factor_not_found', 'Factor not found')

export const challengeNotFound = (): AuthError =>
  new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')

export const challengeExpired = (): AuthError =>
  new AuthError(
    422,
    'mfa_challenge_expired',
    'MFA challenge has expired, verify against another challenge or create a new challenge.',
  )

/** A challenge that was used before, or that belongs to another caller. */
export const otherCaller = (): AuthError =>
  new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')

export const wrongCode = (message = 'Invalid TOTP code entered'): AuthError =>
  new AuthError(422, 'mfa_verification_failed', message)

/** The call needs a session that a second factor was shown for; the wire has a status for each call. */
export const insufficientAal = (status: 401 | 403 | 422): AuthError =>
  new AuthError(status, 'insufficient_aal', 'AAL2 session is required for this operation')

export const factorTypeOff = (type: string, what: 'enroll' | 'verify'): AuthError =>
  new AuthError(422, `mfa_${type}_${what}_not_enabled`, `MFA ${what} is disabled for ${type}`)
