import type { ErrorBody } from '#contract/api.ts'
import { fieldMessage } from '#contract/kit/field-message.ts'
import { excerpt } from '#domain/common/text.ts'
import { RefusedEdit } from '#domain/editing/edit-rules.ts'
import { codeOf, isDatabaseAway } from '#server/db/database-error.ts'

type Details = { validation_errors?: string[]; headers?: Record<string, string> }

/** A refusal with its French sentence (decisions « The wire »); thrown anywhere, answered in one place. */
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

/** 400: the body is no JSON. */
export const unreadable = (): ApiError => new ApiError(400, 'bad_json', 'La requête est illisible')

/** 401: no token, or one that opens nothing. */
export const unauthorized = (): ApiError => new ApiError(401, 'unauthorized', 'Connexion requise')

/** 403: signed in by password alone, to an account that asks for more. */
export const factorRequired = (): ApiError =>
  forbidden('second_factor_required', 'Saisissez d’abord votre second code de connexion')

/** 403: understood, and not allowed in this state. */
export const forbidden = (code: string, message: string): ApiError =>
  new ApiError(403, code, message)

/** 404: absent or not yours, which are never told apart. */
export const notFound = (message = 'Quiz introuvable'): ApiError =>
  new ApiError(404, 'not_found', message)

/** 409: another change came first. */
export const conflict = (code: string, message: string): ApiError =>
  new ApiError(409, code, message)

/** 408: the request does not arrive. */
export const tooSlow = (): ApiError =>
  new ApiError(408, 'too_slow', 'La requête a mis trop de temps à arriver')

/** 413: the body is larger than its call allows. */
const tooLarge = (): ApiError => new ApiError(413, 'too_large', 'La requête est trop volumineuse')

/** 405: no route is called by this method. */
export const methodRefused = (): ApiError =>
  new ApiError(405, 'method_not_allowed', 'Cette méthode n’est pas acceptée')

/** 415: a body that is not plain JSON. */
export const unsupportedMediaType = (): ApiError =>
  new ApiError(415, 'not_json', 'La requête doit être en JSON (application/json)')

/** Of a field, which may be named by what was sent. */
const LONGEST_FIELD = 200

/** 422: readable but wrong; `field` is where, as `questions.0.text`. */
export const invalid = (message: string, field?: string): ApiError => {
  const sentence = field ? fieldMessage(excerpt(field, LONGEST_FIELD), message) : message
  return new ApiError(422, 'invalid', sentence)
}

/** 422: the draft cannot be published; one sentence for each reason (spec §5). */
export const refusedPublication = (validation_errors: string[]): ApiError =>
  new ApiError(422, 'publication_refused', 'Impossible de publier le quiz', { validation_errors })

/** 400: a text to import of which some lines are not understood; one sentence for each. */
export const refusedText = (validation_errors: string[]): ApiError =>
  new ApiError(400, 'text_refused', 'Le texte n’a pas pu être importé', { validation_errors })

const retryAfter = (seconds: number): Details => ({ headers: { 'retry-after': String(seconds) } })

/** 429: too many calls, or too many of them at once; may be tried again after `seconds`. */
export const tooMany = (
  seconds: number,
  message = 'Trop de requêtes : réessayez dans un instant',
): ApiError => new ApiError(429, 'too_many_requests', message, retryAfter(seconds))

/** 503: the database is away or the server is full; may be tried again after `seconds`. */
export const unavailable = (seconds = 2): ApiError =>
  new ApiError(
    503,
    'unavailable',
    'Le service est momentanément indisponible, réessayez dans un instant',
    retryAfter(seconds),
  )

/**
 * 503 for a caller who no longer waits: the call has exceeded its time, or its connection is closed. Thrown by the work
 * of the call when it stops.
 */
export class AbandonedCall extends ApiError {
  override name = 'AbandonedCall'

  constructor() {
    const { status, code, message, headers } = unavailable()
    super(status, code, message, { headers })
  }
}

const unexpected = (): ApiError => new ApiError(500, 'unexpected', 'Erreur inconnue')

/** The refusal to answer for any thrown value; an unexpected one is a 500 without details of the server. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (error instanceof RefusedEdit)
    return error.is_missing ? notFound(error.message) : invalid(error.message, error.field)
  return databaseError(error) ?? fastifyError(error) ?? unexpected()
}

/** True for an unexpected error that is not the fault of the caller and must be logged. */
export const isServerError = (error: unknown): boolean =>
  !(error instanceof ApiError) && toApiError(error).status >= 500

/** Text, numbers, dates or shapes that PostgreSQL cannot keep; the schemas refuse them first. */
const WRONG_DATA = new Set('22001 22003 22007 22008 22021 22P02 22P03 22P05 23514'.split(' '))
/** Nested deeper than PostgreSQL reads. */
const TOO_DEEP = '54001'

const databaseError = (error: unknown): ApiError | undefined => {
  if (!(error instanceof Error)) return undefined
  if (isDatabaseAway(error)) return unavailable()
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

/** The body of a refusal (decisions « The wire »); of a failure of ours with the id that the log has it under. */
export const toErrorBody = (
  { status, message, code, validation_errors }: ApiError,
  error_id?: string,
): ErrorBody => ({
  error: message,
  code,
  ...(validation_errors && { validation_errors }),
  ...(status === 500 && error_id !== undefined && { error_id }),
})
