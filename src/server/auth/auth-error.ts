/**
 * A refusal on the auth wire: the status and the machine's word that its clients know, and an English
 * message (decisions « Language »: the browser translates by code).
 */
export class AuthError extends Error {
  override name = 'AuthError'
  readonly status: number
  readonly code: string
  /** What is wrong with a refused new password. */
  readonly weak_password_reasons: string[] | undefined
  /** Seconds to wait, sent as Retry-After. */
  readonly retry_after: number | undefined
  /** Some grants refuse in OAuth's own form: this word, and no code. */
  readonly oauth_error: string | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      weak_password_reasons?: string[]
      retry_after?: number
      oauth_error?: string
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.status = status
    this.code = code
    this.weak_password_reasons = more.weak_password_reasons
    this.retry_after = more.retry_after
    this.oauth_error = more.oauth_error
  }
}

/** 400 in OAuth's own form, which has no code. */
export const oauthRefusal = (oauth_error: string, message: string): AuthError =>
  new AuthError(400, 'validation_failed', message, { oauth_error })

/** 400: the body is readable but does not make sense. */
export const validationFailed = (message: string): AuthError =>
  new AuthError(400, 'validation_failed', message)

/** 400: one and the same for an unknown address and for a wrong password. */
export const invalidCredentials = (): AuthError =>
  new AuthError(400, 'invalid_credentials', 'Invalid login credentials')

/** 403: the token is genuine but its session has ended; clients then drop theirs. */
export const sessionNotFound = (): AuthError =>
  new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')

/** 429 after too many calls or too many wrong passwords. */
export const tooManyRequests = (seconds: number): AuthError =>
  new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', {
    retry_after: seconds,
  })

/** 503 when the process can take no more of this work for now. */
export const busy = (seconds: number): AuthError =>
  new AuthError(503, 'unexpected_failure', 'The service is busy, try again shortly', {
    retry_after: seconds,
  })

/** 429 when the same mail was asked for a moment ago, for a known address and an unknown one alike. */
export const mailTooSoon = (seconds: number): AuthError =>
  new AuthError(
    429,
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retry_after: seconds },
  )

/** 429 when a text message was sent to the number a moment ago. */
export const textTooSoon = (seconds: number): AuthError =>
  new AuthError(
    429,
    'over_sms_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retry_after: seconds },
  )

/** 403 for a link or code that is wrong, used, replaced or too old, or whose address is unknown. */
export const otpExpired = (form: 'code' | 'link'): AuthError =>
  new AuthError(
    403,
    'otp_expired',
    form === 'code' ? 'Token has expired or is invalid' : 'Email link is invalid or has expired',
  )

export const emailExists = (): AuthError =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered')

export const phoneExists = (): AuthError =>
  new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered')

/** Sign-in with a wallet is off, or this chain of it. */
export const web3Disabled = (): AuthError =>
  new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled')

export const signupDisabled = (): AuthError =>
  new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')

/** An account that may not be used for now; grants say so with 400, everything else with 403. */
export const userBanned = (status: 400 | 403): AuthError =>
  new AuthError(status, 'user_banned', 'User is banned')
