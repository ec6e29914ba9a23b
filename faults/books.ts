/** What was sent and what came back, in our own books; the product's are compared with them. */
type Sent = { choice: number; is_acknowledged: boolean }

export type Books = {
  sent: Map<string, Sent>
  /** Answers that nobody may get, and what else is wrong; a few of each. */
  wrong: string[]
  statuses: Map<string, number>
  /** Connections that broke before an answer. */
  nb_broken: number
  /** The longest that anybody waited for an answer, in ms. */
  longest_ms: number
  /** What answers took, in ms, for whoever reads and empties it. */
  latencies: number[]
  /** When each visitor was last told that their answers are stored; the editor and the reader come last. */
  acknowledged_at: number[]
}

export const openBooks = (): Books => ({
  sent: new Map(),
  wrong: [],
  statuses: new Map(),
  nb_broken: 0,
  longest_ms: 0,
  latencies: [],
  acknowledged_at: [],
})

const MOST_WRONG = 20

export const complain = ({ wrong }: Pick<Books, 'wrong'>, text: string): void => {
  if (wrong.length < MOST_WRONG && !wrong.includes(text)) wrong.push(text)
}

/** Counts an answer, and complains of one that a fault does not excuse. */
export const noteAnswer = (
  record: Books,
  { what, status, retry_after }: { what: string; status: number; retry_after: string | null },
): void => {
  const key = `${what} ${status}`
  record.statuses.set(key, (record.statuses.get(key) ?? 0) + 1)
  const isPassing = status === 503 || status === 429
  if (isPassing && !(Number(retry_after) > 0)) complain(record, `${key} without Retry-After`)
  else if (!isPassing && status >= 400) complain(record, key)
}
