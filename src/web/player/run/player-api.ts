import { canKeepAlive } from '#domain/common/keepalive.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'

/**
 * The reason why the server has refused the answers: the quiz is no longer published, is closed, or any other reason.
 */
export type Refusal = 'withdrawn' | 'closed' | 'refused'

/** The body of a submission (decisions « Submission »). */
export type Submission = {
  answers: Replies
  email: string
  participant_uuid: string
  /** The secret for which a repeated submission gets the links to the documents again. */
  run_secret: string
  version: number
  /** The version of the accepted consent text, 0 for an unticked box; undefined without a box. */
  consent_version: number | undefined
  /** Seconds from the load of the page to the last answer; null when they were not measured. */
  elapsed_seconds: number | null
  /** True if the honeypot field was filled in. */
  is_trapped: boolean
  /** The query of the page's address. */
  parameters: string | undefined
}

/**
 * The outcome of sending. `later` may have a delay in seconds that the server asks for. A withdrawn or closed quiz is
 * reported and retried, because it may be published or opened again; a deleted quiz is refused.
 */
export type SendOutcome =
  | { outcome: 'stored'; documents?: DocumentLinks | undefined }
  | { outcome: 'refused'; reason: string; refusal: Refusal; documents?: undefined }
  | { outcome: 'later'; reason: string; seconds: number; refusal?: Refusal | undefined }

const REFUSALS: Record<string, Refusal> = {
  quiz_not_published: 'withdrawn',
  not_found: 'withdrawn',
  quiz_closed: 'closed',
  quiz_full: 'closed',
}

/** Timeout of an answer; sending again is harmless. */
const ANSWER_TIMEOUT_MS = 30_000
/** Statuses that may change: no longer published, timeout, too many requests. */
const RETRIED_STATUSES = [403, 408, 429]

/**
 * Sends one submission; never rejects. The outcome `refused` is final. The outcome `later` is retried, even with a
 * `refusal`.
 */
export const sendSubmission = async (
  quiz_id: string,
  submission: Submission,
  send: typeof fetch = fetch,
): Promise<SendOutcome> => {
  const body = JSON.stringify(submission)
  try {
    const answer = await send(`/api/v1/quizzes/${quiz_id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: canKeepAlive(body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    return await outcomeOf(answer, submission)
  } catch (error) {
    return { outcome: 'later', reason: String(error), seconds: 0 }
  }
}

/**
 * Returns the outcome of an answer. Only an answer of the product counts, because a proxy may answer anything with
 * status 200.
 */
const outcomeOf = async (
  answer: Response,
  { participant_uuid }: Submission,
): Promise<SendOutcome> => {
  const { ok, status, headers } = answer
  const content: { participant_uuid?: unknown; code?: string; documents?: DocumentLinks } =
    await answer.json().catch(() => ({}))
  if (ok && content.participant_uuid === participant_uuid)
    return { outcome: 'stored', documents: content.documents }
  const reason = `HTTP ${status}`
  const isFinal = content.code && status < 500 && !RETRIED_STATUSES.includes(status)
  const refusal = REFUSALS[content.code ?? '']
  if (isFinal) return { outcome: 'refused', reason, refusal: refusal ?? 'refused' }
  const seconds = Number(headers.get('retry-after')) || 0
  return { outcome: 'later', reason, seconds, refusal }
}
