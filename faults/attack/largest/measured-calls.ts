import type { Endpoint } from '#contract/kit/endpoint.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { MeasuredSite } from '../measured-site.ts'

const MAX_LOOP_MS = 100
const MAX_GROWTH_MB = 64
const MAX_ANSWER_BYTES = 8 * 1_048_576
/** Maximum number of rounds. A cost that occurs in every round is caused by the product, not by other programs. */
const ROUNDS = 4

/** Status, event-loop delay, growth of memory and size of the answer of a call. */
export type Cost = { status: number; loop_ms: number; growth_mb: number; bytes: number }

/** Returns the cost of a request: the minimum of several rounds for time and memory. */
export const costOf = async (
  site: MeasuredSite,
  send: () => Promise<{ status: number; bytes: number }>,
  rounds = ROUNDS,
): Promise<Cost> => {
  const cost: Cost = { status: 0, loop_ms: Infinity, growth_mb: Infinity, bytes: 0 }
  for (let round = 0; round < rounds; round++) {
    if (cost.loop_ms <= MAX_LOOP_MS && cost.growth_mb <= MAX_GROWTH_MB) break
    const { value, loop_ms, growth_mb } = await site.measure(send)
    cost.status = value.status
    cost.bytes = Math.max(cost.bytes, value.bytes)
    cost.loop_ms = Math.min(cost.loop_ms, loop_ms)
    cost.growth_mb = Math.min(cost.growth_mb, growth_mb)
  }
  return cost
}

/** Returns a text for each cost that exceeds its limit. */
export const excessesOf = (name: string, cost: Cost, max_bytes = MAX_ANSWER_BYTES): string[] => [
  ...(cost.loop_ms > MAX_LOOP_MS ? [`${name}: event loop ${Math.round(cost.loop_ms)} ms`] : []),
  ...(cost.growth_mb > MAX_GROWTH_MB ? [`${name}: memory ${Math.round(cost.growth_mb)} MB`] : []),
  ...(cost.bytes > max_bytes ? [`${name}: an answer of ${cost.bytes} bytes`] : []),
  ...(cost.status >= 500 || cost.status === 0 ? [`${name}: answered ${cost.status}`] : []),
]

/** Sends a request of a creator from a network of its own, and reads the answer. */
export const sendRequest = async (
  { origin }: MeasuredSite,
  endpoint: Pick<Endpoint, 'method' | 'body_types'>,
  path: string,
  access_token: string,
  body?: unknown,
): Promise<{ status: number; bytes: number }> => {
  const response = await fetch(origin + path, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${access_token}`,
      'x-forwarded-for': '203.0.113.40',
      ...(body !== undefined && { 'content-type': endpoint.body_types?.[0] ?? 'application/json' }),
    },
    signal: AbortSignal.timeout(120_000),
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const { byteLength } = await response.arrayBuffer()
  return { status: response.status, bytes: byteLength }
}

/** Returns the greatest figures of several calls in words. */
export const worstOf = (costs: Cost[]): string => {
  const worst = (read: (cost: Cost) => number) => Math.round(Math.max(0, ...costs.map(read)))
  return `${costs.length} calls, event loop ${worst(({ loop_ms }) => loop_ms)} ms, memory ${worst(({ growth_mb }) => growth_mb)} MB, answer ${Math.round(worst(({ bytes }) => bytes) / 1_024)} KiB`
}

/** Puts existing ids into a generated body, so that the product does not refuse it at the first look-up. */
export const withExistingIds = (name: string, value: unknown, quiz: SampleQuiz): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const body = value as Record<string, unknown[] & Record<string, unknown>>
  const rows = (key: string) => (body[key] ?? []) as unknown as Record<string, unknown>[]
  if (name === 'drafts.save') {
    const questions = rows('questions')
    const answers = rows('answers')
    const results = rows('results')
    for (const [rank, answer] of answers.entries())
      answer.question_id = questions[rank % questions.length]?.id
    for (const [rank, association] of rows('associations').entries()) {
      association.answer_id = answers[rank % answers.length]?.id
      association.result_id = results[Math.floor(rank / answers.length) % results.length]?.id
    }
    return { ...body, removed: [] }
  }
  if (name === 'taking.submit' || name === 'testRuns.submit')
    return { ...body, answers: { ...body.answers, [quiz.question_id]: quiz.answer_ids[0] } }
  return body
}
