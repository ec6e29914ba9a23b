import type { ErrorBody } from '#contract/api.ts'
import { fieldMessage } from '#contract/kit/field-message.ts'
import { excerpt } from '#domain/common/text.ts'
import { RefusedEdit } from '#domain/editing/edit-rules.ts'
import { codeOf, isDatabaseUnavailable } from '#server/db/database-error.ts'

type Details = { validation_errors?: string[]; headers?: Record<string, string> }

/**
 * Error with an HTTP status, a code and a French message (product 13.5). The error handler of the application sends it.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly validation_errors: string[] | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.code = code
    this.validation_errors = details.validation_errors
    this.headers = details.headers ?? {}
  }
}

/** Returns 400 for a body that is not valid JSON. */
export const unreadable = (message = 'La requête est illisible'): ApiError =>
  new ApiError(400, 'bad_json', message)

/** Returns 401 for a missing or invalid token. */
export const unauthorized = (): ApiError => new ApiError(401, 'unauthorized', 'Connexion requise')

/** Returns 403 if the account requires a second factor that the session has not shown. */
export const factorRequired = (): ApiError =>
  forbidden('second_factor_required', 'Saisissez d’abord votre second code de connexion')

/** Returns 403 for a call that the current state does not allow. */
export const forbidden = (code: string, message: string): ApiError =>
  new ApiError(403, code, message)

/** Returns 404 for something that does not exist or belongs to someone else; the answer never tells which. */
export const notFound = (message = 'Quiz introuvable'): ApiError =>
  new ApiError(404, 'not_found', message)

/** Returns 404 for a path that no route has. */
export const unknownPath = (): ApiError => notFound('Page introuvable')

/** Returns 409 if another change came first. */
export const conflict = (code: string, message: string): ApiError =>
  new ApiError(409, code, message)

/** Returns 408 if the request takes too long to arrive. */
export const tooSlow = (): ApiError =>
  new ApiError(408, 'too_slow', 'La requête a mis trop de temps à arriver')

/** Returns 413 if the body is larger than its call allows. */
const tooLarge = (): ApiError => new ApiError(413, 'too_large', 'La requête est trop volumineuse')

/** Returns 405 for a method that no route accepts. */
export const methodRefused = (): ApiError =>
  new ApiError(405, 'method_not_allowed', 'Cette méthode n’est pas acceptée')

/** Returns 415 for a body that is not plain JSON. */
export const unsupportedMediaType = (): ApiError =>
  new ApiError(415, 'not_json', 'La requête doit être en JSON (application/json)')

/** Maximum length of a field's name in a message; callers may send names of any length. */
const MAX_FIELD_LENGTH = 200

/** Returns 422 for a well-formed but wrong value; `field` is its path, for example `questions.0.text`. */
export const invalid = (message: string, field?: string): ApiError => {
  const sentence = field ? fieldMessage(excerpt(field, MAX_FIELD_LENGTH), message) : message
  return new ApiError(422, 'invalid', sentence)
}

/** Returns 422 for a draft that cannot be published, with one sentence for each reason (product 6.2). */
export const refusedPublication = (validation_errors: string[]): ApiError =>
  new ApiError(422, 'publication_refused', 'Impossible de publier le quiz', { validation_errors })

/** Returns 400 for an imported text with invalid lines, with one sentence for each. */
export const refusedText = (validation_errors: string[]): ApiError =>
  new ApiError(400, 'text_refused', 'Le texte n’a pas pu être importé', { validation_errors })

const retryAfter = (seconds: number): Details => ({ headers: { 'retry-after': String(seconds) } })

/** Returns 429 for too many calls in a time or at once; the caller may retry after `seconds`. */
export const tooMany = (
  seconds: number,
  message = 'Trop de requêtes : réessayez dans un instant',
): ApiError => new ApiError(429, 'too_many_requests', message, retryAfter(seconds))

/** Returns 503 if the database is unreachable or the server is full; the caller may retry after `seconds`. */
export const unavailable = (seconds = 2): ApiError =>
  new ApiError(
    503,
    'unavailable',
    'Le service est momentanément indisponible, réessayez dans un instant',
    retryAfter(seconds),
  )

/** Returns 503 if the disk of the database has no room for the call; the caller may retry after `seconds`. */
export const diskFull = (seconds: number, message: string): ApiError =>
  new ApiError(503, 'disk_full', message, retryAfter(seconds))

/**
 * Reason of an aborted call: it has exceeded its time or its connection is closed. Sent as 503 if the connection is
 * still open.
 */
export class AbandonedCall extends ApiError {
  override name = 'AbandonedCall'

  constructor() {
    const { status, code, message, headers } = unavailable()
    super(status, code, message, { headers })
  }
}

const unexpected = (): ApiError => new ApiError(500, 'unexpected', 'Erreur inconnue')

/** Returns the refusal to send for any thrown value. An unexpected error becomes a 500 without internal details. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (error instanceof RefusedEdit)
    return error.is_missing ? notFound(error.message) : invalid(error.message, error.field)
  return databaseError(error) ?? fastifyError(error) ?? unexpected()
}

/** Returns true for an unexpected error that is not the caller's fault and must be logged. */
export const isServerError = (error: unknown): boolean =>
  !(error instanceof ApiError) && toApiError(error).status >= 500

/** SQLSTATE codes of values that PostgreSQL cannot store; request schemas normally refuse them first. */
const WRONG_DATA = new Set('22001 22003 22007 22008 22021 22P02 22P03 22P05 23514'.split(' '))
/** SQLSTATE code of JSON nested deeper than PostgreSQL reads. */
const TOO_DEEP = '54001'

const databaseError = (error: unknown): ApiError | undefined => {
  if (!(error instanceof Error)) return undefined
  if (isDatabaseUnavailable(error)) return unavailable()
  const code = codeOf(error)
  if (code === TOO_DEEP) return unreadable()
  if (WRONG_DATA.has(code)) return invalid('La valeur ne peut pas être enregistrée')
  if (code === '23505') return conflict('conflict', 'Cet élément existe déjà')
  if (code === '23503') return conflict('conflict', "Cet élément n'existe plus")
  return undefined
}

const fastifyError = (error: unknown): ApiError | undefined => {
  if (!(error instanceof Error && 'code' in error && 'statusCode' in error)) return undefined
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    default: {
      const isRefusal = typeof error.statusCode === 'number' && error.statusCode < 500
      return isRefusal ? unreadable() : undefined
    }
  }
}

/** Returns the response body of a refusal (product 13.5). A 500 carries the request id that the log also has. */
export const toErrorBody = (
  { status, message, code, validation_errors }: ApiError,
  error_id?: string,
): ErrorBody => ({
  error: message,
  code,
  ...(validation_errors && { validation_errors }),
  ...(status === 500 && error_id !== undefined && { error_id }),
})
