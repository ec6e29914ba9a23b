import type { Client } from '#contract/client/client.ts'
import type { Endpoint } from '#contract/kit/endpoint.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { contractCalls, urlOf } from '#server/testing/app/contract-calls.ts'
import {
  admissionLimits,
  bodySchemaOf,
  findUnlimited,
  generate,
} from '#server/testing/quizzes/largest-input.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { postRun } from '../loads/form-run.ts'
import type { MeasuredSite } from '../measured-site.ts'
import { DIRECTIONS, type GrownQuiz, growQuiz } from './grow-quiz.ts'

/** The largest inputs that the contract allows, and what they cost the server. */

const MAX_LOOP_MS = 100
const MAX_GROWN_MB = 64
const MAX_ANSWER_BYTES = 8 * 1_048_576
const MAX_PAGE_BYTES = 2 * 1_048_576
/** Number of rounds. A cost that every round shows comes from the product, not from other load of the machine. */
const ROUNDS = 4
const nameUnlimited = async (): Promise<string[]> =>
  contractCalls
    .flatMap(([name, endpoint]) => findUnlimited(name, endpoint))
    .map((place) => `${place} has no limit`)

type Cost = { status: number; loop_ms: number; grown_mb: number; bytes: number }

/** The cost of a request: the least of several rounds for time and memory. */
const costOf = async (
  site: MeasuredSite,
  send: () => Promise<{ status: number; bytes: number }>,
  rounds = ROUNDS,
): Promise<Cost> => {
  const cost: Cost = { status: 0, loop_ms: Infinity, grown_mb: Infinity, bytes: 0 }
  for (let round = 0; round < rounds; round++) {
    if (cost.loop_ms <= MAX_LOOP_MS && cost.grown_mb <= MAX_GROWN_MB) break
    const { value, loop_ms, grown_mb } = await site.measure(send)
    cost.status = value.status
    cost.bytes = Math.max(cost.bytes, value.bytes)
    cost.loop_ms = Math.min(cost.loop_ms, loop_ms)
    cost.grown_mb = Math.min(cost.grown_mb, grown_mb)
  }
  return cost
}

const complaintsOf = (name: string, cost: Cost, max_bytes = MAX_ANSWER_BYTES): string[] => [
  ...(cost.loop_ms > MAX_LOOP_MS ? [`${name}: event loop ${Math.round(cost.loop_ms)} ms`] : []),
  ...(cost.grown_mb > MAX_GROWN_MB ? [`${name}: memory ${Math.round(cost.grown_mb)} MB`] : []),
  ...(cost.bytes > max_bytes ? [`${name}: an answer of ${cost.bytes} bytes`] : []),
  ...(cost.status >= 500 || cost.status === 0 ? [`${name}: answered ${cost.status}`] : []),
]

const ask = async (
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

const worstOf = (costs: Cost[]): string => {
  const worst = (read: (cost: Cost) => number) => Math.round(Math.max(0, ...costs.map(read)))
  return `${costs.length} calls, event loop ${worst(({ loop_ms }) => loop_ms)} ms, memory ${worst(({ grown_mb }) => grown_mb)} MB, answer ${Math.round(worst(({ bytes }) => bytes) / 1_024)} KiB`
}

/** Names real ids in a generated body, so that more than its first look-up runs. */
const withIds = (name: string, value: unknown, quiz: Ready): unknown => {
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

const sendLargestBodies = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client, access_token } = await site.creator()
  const got: string[] = []
  const costs: Cost[] = []
  for (const [name, endpoint] of contractCalls) {
    const schema = bodySchemaOf(endpoint)
    if (!schema || name === 'account.remove') continue
    const quiz = await publishedScoreQuiz(client)
    const path = urlOf(endpoint, quiz)
    const body = withIds(name, generate(schema, admissionLimits(endpoint)).value, quiz)
    const cost = await costOf(site, () => ask(site, endpoint, path, access_token, body))
    costs.push(cost)
    got.push(...complaintsOf(name, cost))
  }
  context.note(worstOf(costs))
  return got
}

/** Calls that only read, with the address of a quiz. */
const readingCalls = contractCalls.filter(
  ([, { method, path }]) => method === 'GET' && path.includes('{id}'),
)

const visit = async (
  site: MeasuredSite,
  path: string,
): Promise<{ status: number; bytes: number }> => {
  const response = await fetch(site.origin + path, {
    headers: { 'x-forwarded-for': '203.0.113.41' },
    signal: AbortSignal.timeout(120_000),
  })
  const { byteLength } = await response.arrayBuffer()
  return { status: response.status, bytes: byteLength }
}

const useLargestQuiz =
  (direction: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const site = await context.measured()
    const creator = await site.creator()
    const part = DIRECTIONS[direction]
    if (!part) throw new Error(`no direction ${direction}`)
    const grown = await growQuiz(creator.client, part)
    assertPrecondition(grown.nb_parts > 0, 'not even one part is accepted')
    const got: string[] = []
    const costs: Record<string, Cost> = {}
    const measure = async (
      name: string,
      send: () => Promise<{ status: number; bytes: number }>,
      max_bytes?: number,
    ): Promise<void> => {
      const cost = await costOf(site, send)
      costs[name] = cost
      got.push(...complaintsOf(name, cost, max_bytes))
    }
    for (const [name, send] of Object.entries(callsOn(site, creator, grown)))
      await measure(name, send, name === 'page' ? MAX_PAGE_BYTES : undefined)
    assertPrecondition(
      costs.publish?.status === 200,
      `it cannot be published: ${costs.publish?.status}`,
    )
    context.note(`${grown.nb_parts} parts, ${worstOf(Object.values(costs))}`)
    const page = costs.page?.bytes ?? 0
    context.note(`page ${Math.round(page / 1_024)} KiB`)
    return got
  }

type Send = () => Promise<{ status: number; bytes: number }>

/** Everything that creator and visitors do with a quiz, by name. */
const callsOn = (
  site: MeasuredSite,
  { client, access_token }: { client: Client; access_token: string },
  grown: GrownQuiz,
): Record<string, Send> => {
  const { id, question_id, open_id, answer_ids } = grown
  const post = { method: 'POST' } as const
  const own =
    (path: string, method: 'POST' | 'PUT' = 'POST', body?: unknown): Send =>
    () =>
      ask(site, { method }, `${BASE_PATH}${path}`, access_token, body)
  const answers = async (): Promise<Record<string, string>> => {
    const { questions } = await client.questions.unified({ id })
    return Object.fromEntries(
      questions.map(({ id: key, answers: [first] }) => [key, first?.id ?? 'p'.repeat(10_000)]),
    )
  }
  const form = async (): Promise<Record<string, string>> => ({
    [question_id]: answer_ids[0] ?? '',
    [open_id]: 'é'.repeat(5_000),
  })
  let replies: Record<string, string> | undefined
  let fields: Record<string, string> | undefined
  let rank = 0
  return {
    publish: own(`/quizzes/${id}/publish`),
    page: () => visit(site, `/q/${id}`),
    'shared result': () => visit(site, `/q/${id}?r=${(rank++ % 100) + 1}`),
    save: () =>
      ask(site, { method: 'PUT' }, `${BASE_PATH}/questions/${question_id}`, access_token, {
        text: `Votre agenda ${rank++} ?`,
      }),
    publishAgain: own(`/quizzes/${id}/publish`),
    submissionOf: async () => {
      replies ??= await answers()
      return ask(site, post, `${BASE_PATH}/quizzes/${id}/submit`, '', { answers: replies })
    },
    form: async () => {
      fields ??= await form()
      return postRun(site, id, fields)
    },
    duplicate: own(`/quizzes/${id}/duplicate`),
    ...Object.fromEntries(
      readingCalls.map(([name, endpoint]): [string, Send] => [
        name,
        () => ask(site, endpoint, urlOf(endpoint, grown), access_token),
      ]),
    ),
    resetMode: own(`/quizzes/${id}/mode/reset`),
  }
}

/** Attacks with the largest inputs that the contract allows. */
export const largest: Attack[] = [
  { name: 'largest: parts of the contract without a limit', run: nameUnlimited },
  { name: 'largest: the largest body of every call', run: sendLargestBodies },
  ...Object.keys(DIRECTIONS).map((direction) => ({
    name: `largest: every call on the quiz with the most ${direction}`,
    run: useLargestQuiz(direction),
  })),
]
