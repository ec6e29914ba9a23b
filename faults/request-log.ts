/** Records of all requests and responses of a fault test, for comparison with the database. */
type Sent = { choice: number; is_acknowledged: boolean }

export type RequestLog = {
  sent: Map<string, Sent>
  /** Invalid responses and other failures, a few of each kind. */
  wrong: string[]
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

export const createRequestLog = (): RequestLog => ({
  sent: new Map(),
  wrong: [],
  statuses: new Map(),
  nb_broken: 0,
  longest_ms: 0,
  latencies: [],
  acknowledged_at: [],
})

const MAX_FAILURES = 20

export const recordFailure = ({ wrong }: Pick<RequestLog, 'wrong'>, text: string): void => {
  if (wrong.length < MAX_FAILURES && !wrong.includes(text)) wrong.push(text)
}

/** Records a response, and reports one that the fault does not explain. */
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
