import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, toApiError } from '#server/http/errors.ts'
import { AuthError } from './auth-error.ts'

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
