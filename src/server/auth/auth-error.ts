import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, toApiError } from '#server/http/edge/errors.ts'

/**
 * Error of the auth protocol: HTTP status, error code, and English message. The browser shows a French text for the
 * code.
 */
export class AuthError extends Error {
  override name = 'AuthError'
  readonly status: number
  readonly code: string
  /** Reasons for the refusal of a new password. */
  readonly weak_password_reasons: string[] | undefined
  /** Seconds to wait, sent as Retry-After. */
  readonly retry_after: number | undefined
  /** OAuth error name. If set, the answer has the OAuth form without a code. */
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

/** Creates a 400 error in OAuth form, without a code. */
export const oauthRefusal = (oauth_error: string, message: string): AuthError =>
  new AuthError(400, 'validation_failed', message, { oauth_error })

/** Creates a 400 error for an invalid value. */
export const validationFailed = (message: string): AuthError =>
  new AuthError(400, 'validation_failed', message)

/**
 * Creates the 400 error for an unknown address or a wrong password. The error is equal in both cases, so that the
 * answer does not reveal accounts.
 */
export const invalidCredentials = (): AuthError =>
  new AuthError(400, 'invalid_credentials', 'Invalid login credentials')

/** Creates a 403 error for a token whose session has ended. Clients then sign out. */
export const sessionNotFound = (): AuthError =>
  new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')

/** Creates a 429 error after too many calls or wrong passwords. */
export const tooManyRequests = (seconds: number): AuthError =>
  new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', {
    retry_after: seconds,
  })

/** Creates a 503 error for an overloaded process. */
export const busy = (seconds: number): AuthError =>
  new AuthError(503, 'unexpected_failure', 'The service is busy, try again shortly', {
    retry_after: seconds,
  })

/** Creates the 429 error for a mail that may not be requested yet. */
export const mailTooSoon = (seconds: number): AuthError =>
  new AuthError(
    429,
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retry_after: seconds },
  )

/** Creates the 429 error for a text message that may not be requested yet. */
export const textTooSoon = (seconds: number): AuthError =>
  new AuthError(
    429,
    'over_sms_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retry_after: seconds },
  )

/** Creates the 403 error for a link or code that is wrong, used, replaced or expired. */
export const otpExpired = (form: 'code' | 'link'): AuthError =>
  new AuthError(
    403,
    'otp_expired',
    form === 'code' ? 'Token has expired or is invalid' : 'Email link is invalid or has expired',
  )

/** Creates the 422 error for a taken email address. */
export const emailExists = (): AuthError =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered')

/** Creates the 422 error for a taken phone number. */
export const phoneExists = (): AuthError =>
  new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered')

/** Creates an error for a disabled sign-in by wallet or a disabled chain. */
export const web3Disabled = (): AuthError =>
  new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled')

/** Creates the 422 error for disabled sign-ups. */
export const signupDisabled = (): AuthError =>
  new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')

/** Creates the 422 error for a password, or a mailed link instead of one, where AUTH_PASSWORDS is off. */
export const passwordsDisabled = (): AuthError =>
  new AuthError(422, 'email_provider_disabled', 'Passwords are disabled for this instance')

/** Creates an error for a banned account: 400 for grants, 403 otherwise. */
export const userBanned = (status: 400 | 403): AuthError =>
  new AuthError(status, 'user_banned', 'User is banned')

/** Header with the protocol version of the client. Since version 2024-01-01, errors have the form {code, message}. */
const VERSION_HEADER = 'x-supabase-api-version'
/** Header with the error code for gateways and logs. */
const CODE_HEADER = 'x-sb-error-code'
const CODES_SINCE = '2024-01-01'

const wantsCodes = ({ headers }: FastifyRequest): boolean => {
  const version = headers[VERSION_HEADER]
  return (
    typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= CODES_SINCE
  )
}

/** Sets the protocol version and `no-store` in an answer. */
export const announceVersion = async (
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  reply.header('cache-control', 'no-store')
  if (wantsCodes(request)) reply.header(VERSION_HEADER, CODES_SINCE)
}

type CodeAndMessage = [code: string, message: string]
const UNKNOWN_ROUTE: CodeAndMessage = ['not_found', 'There is no such path']
const UNEXPECTED: CodeAndMessage = ['unexpected_failure', 'Unexpected failure']
const MESSAGES: Record<number, CodeAndMessage> = {
  404: UNKNOWN_ROUTE,
  400: ['bad_json', 'Could not parse request body as JSON'],
  409: ['conflict', 'Somebody else was changing this, try again'],
  413: ['request_entity_too_large', 'Request body is too large'],
  415: ['bad_json', 'Request body must be JSON'],
  422: ['validation_failed', 'A value cannot be stored'],
  429: ['over_request_rate_limit', 'Request rate limit reached'],
  503: ['unexpected_failure', 'The service is not available, try again shortly'],
}

/** Converts any failure to an auth error without details of the database or the parser. */
export const toAuthError = (error: unknown): AuthError => {
  if (error instanceof AuthError) return error
  const { status: found, headers } = toApiError(error)
  // In this protocol, a body that cannot be parsed is a 400 error.
  const status = error instanceof ApiError && error.code === 'invalid' ? 400 : found
  const [code, message] = MESSAGES[status] ?? UNEXPECTED
  const seconds = headers['retry-after']
  const retry_after = seconds === undefined ? undefined : Number(seconds)
  return new AuthError(status, code, message, { retry_after, cause: error })
}

const errorJson = (
  { status, code, message, weak_password_reasons, oauth_error }: AuthError,
  request: FastifyRequest,
) => {
  if (oauth_error) return { error: oauth_error, error_description: message }
  const weak_password = weak_password_reasons && { reasons: weak_password_reasons }
  if (wantsCodes(request)) return { code, message, weak_password }
  const error_id = status >= 500 ? request.id : undefined
  return { code: status, error_code: code, msg: message, error_id, weak_password }
}

/** Answers an error in the format of the caller's protocol version. */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const refusal = toAuthError(error)
  // Expected refusals, such as those of an overloaded server, are not logged.
  if (refusal.status >= 500 && !(error instanceof ApiError))
    request.log.error({ err: error }, 'auth call failed')
  if (refusal.retry_after !== undefined) reply.header('retry-after', refusal.retry_after)
  // Errors in the OAuth form have no code.
  if (!refusal.oauth_error) reply.header(CODE_HEADER, refusal.code)
  reply.code(refusal.status).send(errorJson(refusal, request))
}

/** Answers 404 for an unknown path of the auth protocol. */
export const answerUnknownRoute = (request: FastifyRequest, reply: FastifyReply): void =>
  answerError(new AuthError(404, ...UNKNOWN_ROUTE), request, reply)

/** Creates the 404 error for an unknown factor. */
export const factorNotFound = (): AuthError =>
  new AuthError(404, 'mfa_factor_not_found', 'Factor not found')

/** Creates the 422 error for an unknown challenge. */
export const challengeNotFound = (): AuthError =>
  new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')

/** Creates the 422 error for an expired challenge. */
export const challengeExpired = (): AuthError =>
  new AuthError(
    422,
    'mfa_challenge_expired',
    'MFA challenge has expired, verify against another challenge or create a new challenge.',
  )

/** Creates the 422 error for a challenge that was used, or was created from another IP address. */
export const challengeMismatch = (): AuthError =>
  new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')

/** Creates the 422 error for a wrong code. */
export const wrongCode = (message = 'Invalid TOTP code entered'): AuthError =>
  new AuthError(422, 'mfa_verification_failed', message)

/** Creates an error for a call that requires a second factor. The status depends on the call. */
export const insufficientAal = (status: 401 | 403 | 422): AuthError =>
  new AuthError(status, 'insufficient_aal', 'AAL2 session is required for this operation')

/** Creates the 422 error for a disabled type of factor. */
export const factorTypeDisabled = (type: string, action: 'enroll' | 'verify'): AuthError =>
  new AuthError(422, `mfa_${type}_${action}_not_enabled`, `MFA ${action} is disabled for ${type}`)
