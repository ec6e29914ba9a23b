import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { type AttackRequest, send } from './requests.ts'

/** Latencies of a visitor from another network and of another creator. */
export type OtherUserLatencies = {
  page_p95_ms: number
  save_max_ms: number
  /** Longest wait for a document; 0 if none was requested. */
  document_max_ms: number
}

const MAX_WAIT_MS = 60_000
const PAGE_INTERVAL_MS = 30
const SAVE_INTERVAL_MS = 200
/** Interval within the rate limit of documents, which is one a second for an address. */
const DOCUMENT_INTERVAL_MS = 1_000
/** Network of the visitor and of the creator; attacks come from other networks. */
const OTHER_USERS_NETWORK = '198.51.100.7'

const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

/** Creates a quiz whose visitor and creator use the product during an attack. */
export const createOtherUsers = async (
  origin: string,
  { client, access_token }: { client: Client; access_token: string },
  has_documents: boolean,
) => {
  const quiz = await publishReportQuiz(client)
  const { documents } = await submitToReportQuiz(client, quiz)
  const report = documents?.report
  if (report === undefined) throw new Error('the quiz of another creator gives no report')

  /** Returns the duration of a request. A refused or failed request counts as the longest wait. */
  const timed = async (path: string, request: AttackRequest = {}): Promise<number> => {
    const answer = await send(origin + path, {
      network: OTHER_USERS_NETWORK,
      timeout_ms: MAX_WAIT_MS,
      ...request,
    }).catch(() => undefined)
    return answer?.status === 200 || answer?.status === 201 ? answer.ms : MAX_WAIT_MS
  }
  const save = (text: string): Promise<number> =>
    timed(`/api/v1/questions/${quiz.question_id}`, {
      method: 'PUT',
      token: access_token,
      body: { text },
    })
  // The first page and the first document load programs and fonts.
  await timed(`/q/${quiz.id}`)
  if (has_documents) await timed(report)

  return {
    /** Measures the latencies of the users while `work` runs. */
    measure: async <T>(work: () => Promise<T>): Promise<OtherUserLatencies & { value: T }> => {
      let isRunning = true
      const repeat = async (interval_ms: number, call: (nr: number) => Promise<number>) => {
        const durations: number[] = []
        while (isRunning) {
          durations.push(await call(durations.length))
          await pause(interval_ms)
        }
        return durations
      }
      const users = Promise.all([
        repeat(PAGE_INTERVAL_MS, () => timed(`/q/${quiz.id}`)),
        repeat(SAVE_INTERVAL_MS, (nr) => save(`Votre agenda, essai ${nr} ?`)),
        has_documents ? repeat(DOCUMENT_INTERVAL_MS, () => timed(report)) : [],
      ])
      try {
        const value = await work()
        isRunning = false
        const [pages, saves, waits] = await users
        return {
          value,
          page_p95_ms: quantile(pages, 0.95),
          save_max_ms: Math.max(0, ...saves),
          document_max_ms: Math.max(0, ...waits),
        }
      } finally {
        isRunning = false
      }
    },
  }
}
