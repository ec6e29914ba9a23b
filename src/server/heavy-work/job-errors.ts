import { ApiError, tooMany, unavailable } from '#server/http/edge/errors.ts'
import { JOB_LIMITS, type JobKind } from './job-limits.ts'
import { GROUPS, RESOURCES } from './resources.ts'

/** Limit that a job can exceed. */
export type ExceededLimit = 'time' | 'memory' | 'size'

const REASONS: Record<ExceededLimit, string> = {
  time: 'demande trop de temps',
  memory: 'demande trop de mémoire',
  size: 'dépasse la taille permise',
}

/** Error of a job that exceeds a limit of its kind. Final: the same job would exceed the limit again. */
export class JobLimitError extends ApiError {
  override name = 'JobLimitError'
  readonly kind: JobKind
  readonly limit: ExceededLimit

  constructor(kind: JobKind, limit: ExceededLimit) {
    super(422, 'work_limit', `${JOB_LIMITS[kind].label} ${REASONS[limit]} et n’a pas été préparé`)
    this.kind = kind
    this.limit = limit
  }
}

const TOO_MANY_DOWNLOADS = `${GROUPS.download.max_concurrent_per_owner} téléchargements sont déjà en cours : attendez que l’un d’eux se termine, puis réessayez.`

/** Creates the refusal of a job for which the queue is full; the caller may try again after `seconds`. */
export const createQueueRefusal = (kind: JobKind, seconds: number): ApiError => {
  if (kind === 'document' || kind === 'sent_document')
    return new ApiError(
      503,
      'reports_busy',
      'Beaucoup de documents sont en préparation : réessayez dans quelques instants',
      { headers: { 'retry-after': String(seconds) } },
    )
  return RESOURCES[JOB_LIMITS[kind].resource].group === 'download'
    ? tooMany(seconds, TOO_MANY_DOWNLOADS)
    : unavailable(seconds)
}
