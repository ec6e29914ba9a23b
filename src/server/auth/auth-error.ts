import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, toApiError } from '#server/http/edge/errors.ts'

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

/** From this version of the wire on, errors are {code, message}; clients read them so if we echo it. */
const VERSION_HEADER = 'x-supabase-api-version'
/** Gateways and logs read the code here, without the body. */
const CODE_HEADER = 'x-sb-error-code'
const CODES_SINCE = '2024-01-01'

const wantsCodes = ({ headers }: FastifyRequest): boolean => {
  const version = headers[VERSION_HEADER]
  return (
    typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= CODES_SINCE
  )
}

/** Every answer says which version of the wire it speaks, and is not to be kept. */
export const announceVersion = async (
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  reply.header('cache-control', 'no-store')
  if (wantsCodes(request)) reply.header(VERSION_HEADER, CODES_SINCE)
}

type Words = [code: string, message: string]
const UNKNOWN_ROUTE: Words = ['not_found', 'There is no such path']
const UNEXPECTED: Words = ['unexpected_failure', 'Unexpected failure']
const WORDS: Record<number, Words> = {
  404: UNKNOWN_ROUTE,
  400: ['bad_json', 'Could not parse request body as JSON'],
  409: ['conflict', 'Somebody else was changing this, try again'],
  413: ['request_entity_too_large', 'Request body is too large'],
  415: ['bad_json', 'Request body must be JSON'],
  422: ['validation_failed', 'A value cannot be stored'],
  429: ['over_request_rate_limit', 'Request rate limit reached'],
  503: ['unexpected_failure', 'The service is not available, try again shortly'],
}

/** Any failure in this wire's words; what the database or the parser said stays here. */
export const toAuthError = (error: unknown): AuthError => {
  if (error instanceof AuthError) return error
  const { status: found, headers } = toApiError(error)
  // A body that is refused before its fields are read counts as unreadable on this wire.
  const status = error instanceof ApiError && error.code === 'invalid' ? 400 : found
  const [code, message] = WORDS[status] ?? UNEXPECTED
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

/** Answers a failure in the form that the caller's version of the wire expects. */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const refusal = toAuthError(error)
  // Expected refusals, such as those of an overloaded server, are not logged.
  if (refusal.status >= 500 && !(error instanceof ApiError))
    request.log.error({ err: error }, 'auth call failed')
  if (refusal.retry_after !== undefined) reply.header('retry-after', refusal.retry_after)
  // A refusal in OAuth's own form has no code.
  if (!refusal.oauth_error) reply.header(CODE_HEADER, refusal.code)
  reply.code(refusal.status).send(errorJson(refusal, request))
}

export const answerUnknownRoute = (request: FastifyRequest, reply: FastifyReply): void =>
  answerError(new AuthError(404, ...UNKNOWN_ROUTE), request, reply)

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
