import { canKeepAlive } from '#domain/common/keepalive.ts'
import type { ConsentVersions } from '#domain/questionnaire/consent/consent.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'
import { abortAfter } from './abort-after.ts'

/**
 * Reason why the answers are not transmitted: an error code of the server, or `unsent` if the page cannot send them. The
 * visitor can always send the answers with the form of the page without scripts.
 */
export type Refusal = string

/** The body of a submission (product 9.1). */
export type Submission = ConsentVersions & {
  answers: Replies
  email: string
  participant_uuid: string
  /** Secret with which a repeated submission gets the links to the documents again. */
  run_secret: string
  version: number
  /** Seconds from the load of the page to the last answer; null when they were not measured. */
  elapsed_seconds: number | null
  /** True if the honeypot field was filled in. */
  is_trapped: boolean
  /** The query of the page's address. */
  parameters: string
}

/**
 * Outcome of one attempt to send a submission. `stored` means that the server has acknowledged the answers. `refused` is
 * final. `later` is retried, after `seconds` if the server asks for a delay. A withdrawn or closed quiz has the outcome
 * `later` with a refusal, because the quiz may open again.
 */
export type SendOutcome =
  | { outcome: 'stored'; documents?: DocumentLinks | undefined; refusal?: undefined }
  | { outcome: 'refused'; refusal: Refusal; documents?: undefined }
  | { outcome: 'later'; seconds?: number; refusal?: Refusal | undefined; documents?: undefined }

/** Timeout of an answer; sending again is harmless. */
const ANSWER_TIMEOUT_MS = 30_000
/** Statuses that may change: no longer published, timeout, too many requests. */
const RETRIED_STATUSES = [403, 408, 429]

/**
 * Sends one submission; never rejects. A page that cannot send at all gets `later` with the refusal `unsent`, whereas a
 * network failure has no refusal.
 */
export const sendSubmission = async (
  quiz_id: string,
  submission: Submission,
  send?: typeof fetch,
): Promise<SendOutcome> => {
  let refusal: Refusal | undefined = 'unsent'
  try {
    const body = JSON.stringify(submission)
    const answer = (send ?? fetch)(`/api/v1/quizzes/${quiz_id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: canKeepAlive(body),
      signal: abortAfter(ANSWER_TIMEOUT_MS),
    })
    refusal = undefined
    return await outcomeOf(await answer, submission)
  } catch {
    // Browsers report a failure of the network, and the page tells the visitor that it cannot send.
    return { outcome: 'later', refusal }
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
  console.warn(status, content)
  const { code } = content
  if (code && status < 500 && !RETRIED_STATUSES.includes(status))
    return { outcome: 'refused', refusal: code }
  const seconds = Number(headers.get('retry-after')) || 0
  return { outcome: 'later', seconds, refusal: status === 403 ? code : undefined }
}
