/** Submission that was sent; acknowledged after a response 200 or 201. */
type Sent = { choice: number; is_acknowledged: boolean }

/** Requests and responses of a scenario, for comparison with the database. */
export type RequestLog = {
  /** Submissions by participant id. */
  sent: Map<string, Sent>
  /** Invalid responses and other failures. */
  wrong: string[]
  /** Number of responses by kind of request and status, such as `submit 201`. */
  statuses: Map<string, number>
  /** Connections that broke before a response. */
  nb_broken: number
  /** Longest wait for a response in ms. */
  longest_ms: number
  /** Response times in ms; the reader clears the list. */
  latencies: number[]
  /** Time of the last acknowledged submission of each visitor; the editor and the reader come last. */
  acknowledged_at: number[]
}

/** Creates an empty log. */
export const createRequestLog = (): RequestLog => ({
  sent: new Map(),
  wrong: [],
  statuses: new Map(),
  nb_broken: 0,
  longest_ms: 0,
  latencies: [],
  acknowledged_at: [],
})

/** Maximum number of recorded failures. */
const MAX_FAILURES = 20

/** Records a failure once; failures beyond MAX_FAILURES are omitted. */
export const recordFailure = ({ wrong }: Pick<RequestLog, 'wrong'>, text: string): void => {
  if (wrong.length < MAX_FAILURES && !wrong.includes(text)) wrong.push(text)
}

/** Records a response. A status that the fault does not explain is recorded as a failure. */
export const recordResponse = (
  record: RequestLog,
  { what, status, retry_after }: { what: string; status: number; retry_after: string | null },
): void => {
  const key = `${what} ${status}`
  record.statuses.set(key, (record.statuses.get(key) ?? 0) + 1)
  const isPassing = status === 503 || status === 429
  if (isPassing && !(Number(retry_after) > 0)) recordFailure(record, `${key} without Retry-After`)
  else if (!isPassing && status >= 400) recordFailure(record, key)
}
