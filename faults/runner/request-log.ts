/** Sent submission. After a response 200 or 201, `acknowledged_at` is its time (`performance.now()`). */
type Sent = { choice: number; is_acknowledged: boolean; acknowledged_at?: number }

/** Log of the requests and responses of a scenario, which is compared with the database at the end. */
export type RequestLog = {
  /** Sent submissions by participant id. */
  submissions: Map<string, Sent>
  /** Unexpected responses and missing responses, each once. */
  failures: string[]
  /** Number of responses by kind of request and status, such as `submit 201`. */
  statuses: Map<string, number>
  /** Connections that broke before a response. */
  nb_broken: number
  /** Longest wait for a response in ms. */
  longest_ms: number
  /** Response times in ms; code that reads the list may also clear it. */
  latencies: number[]
  /** Milliseconds from the first attempt to the acknowledgement of each submission. */
  waits_ms: number[]
  /** Longest response time in ms by kind of request. */
  longest_by_kind: Map<string, number>
  /** Time of the last acknowledged submission of each visitor; the editor and the reader come last. */
  acknowledged_at: number[]
}

/** Creates an empty log. */
export const createRequestLog = (): RequestLog => ({
  submissions: new Map(),
  failures: [],
  statuses: new Map(),
  nb_broken: 0,
  longest_ms: 0,
  latencies: [],
  waits_ms: [],
  longest_by_kind: new Map(),
  acknowledged_at: [],
})

/** Maximum number of recorded failures, so that a report stays readable. */
const MAX_FAILURES = 20

/** Records a failure unless it is already recorded or the log has MAX_FAILURES failures. */
export const recordFailure = ({ failures }: Pick<RequestLog, 'failures'>, text: string): void => {
  if (failures.length < MAX_FAILURES && !failures.includes(text)) failures.push(text)
}

/** Records a response. 503 and 429 are expected if they have `Retry-After`; other 4xx and 5xx are failures. */
export const recordResponse = (
  log: RequestLog,
  { kind, status, retry_after }: { kind: string; status: number; retry_after: string | null },
): void => {
  const key = `${kind} ${status}`
  log.statuses.set(key, (log.statuses.get(key) ?? 0) + 1)
  const isTemporary = status === 503 || status === 429
  if (isTemporary && !(Number(retry_after) > 0)) recordFailure(log, `${key} without Retry-After`)
  else if (!isTemporary && status >= 400) recordFailure(log, key)
}
