import type { Replies } from '#domain/quiz.ts'

/** The body of a submission (decisions « Submission »). */
export type Submission = {
  answers: Replies
  email: string
  participant_uuid: string
  version: number
  /** The wording that was agreed to, 0 of a box left unticked; nothing where there was none. */
  consent_version: number | undefined
  /** From the page's coming to the last answer; null when nobody counted. */
  elapsed_seconds: number | null
  /** Whether the field that no person sees was filled in. */
  is_trapped: boolean
}

/** What became of a sending; `later` may say how many seconds the server wants to be left alone. */
export type Sending =
  | { outcome: 'stored' }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'later'; reason: string; seconds: number; is_withdrawn?: boolean }

/** In characters, three bytes at most: browsers refuse to keep 64 KB alive after the page is gone. */
const LONGEST_KEPT_ALIVE = 20_000
/** An answer that comes later is not waited for: sending again harms nobody. */
const LONGEST_ANSWER_MS = 30_000
/** Not published any more (it may be again), a slow moment, a crowded one. */
const PASSING = [403, 408, 429]

/** Sends one submission; it never rejects. A refusal is final, everything else may be tried again. */
export const sendSubmission = async (
  quiz_id: string,
  submission: Submission,
  send: typeof fetch = fetch,
): Promise<Sending> => {
  const body = JSON.stringify(submission)
  try {
    const answer = await send(`/api/v1/quizzes/${quiz_id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: body.length <= LONGEST_KEPT_ALIVE,
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
    })
    return await outcomeOf(answer, submission)
  } catch (error) {
    return { outcome: 'later', reason: String(error), seconds: 0 }
  }
}

/** The product's own word alone counts: what stands between may answer anything, 200 included. */
const outcomeOf = async (answer: Response, { participant_uuid }: Submission): Promise<Sending> => {
  const { ok, status, headers } = answer
  const said: { participant_uuid?: unknown; code?: unknown } = await answer.json().catch(() => ({}))
  if (ok && said.participant_uuid === participant_uuid) return { outcome: 'stored' }
  const reason = `HTTP ${status}`
  const isFinal = said.code && status < 500 && !PASSING.includes(status)
  if (isFinal) return { outcome: 'refused', reason }
  const seconds = Number(headers.get('retry-after')) || 0
  const is_withdrawn = said.code === 'quiz_not_published'
  return { outcome: 'later', reason, seconds, ...(is_withdrawn && { is_withdrawn }) }
}
