import type { Client } from '#contract/client/client.ts'
import type { Endpoint } from '#contract/kit/endpoint.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { callUrl, contractCalls } from '#server/testing/app/contract-calls.ts'
import {
  bodySchemaOf,
  findUnlimited,
  generate,
  maxBodyCharacters,
} from '#server/testing/quizzes/largest-input.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { postForm } from '../loads/post-form.ts'
import type { MeasuredSite } from '../measured-site.ts'
import { GROWTH_KINDS, type GrownQuiz, growQuiz } from './grow-quiz.ts'

const MAX_LOOP_MS = 100
const MAX_GROWTH_MB = 64
const MAX_ANSWER_BYTES = 8 * 1_048_576
const MAX_PAGE_BYTES = 2 * 1_048_576
/** Maximum number of rounds. A cost that occurs in every round is caused by the product, not by other programs. */
const ROUNDS = 4
const findPartsWithoutLimit = async (): Promise<string[]> =>
  contractCalls
    .flatMap(([name, endpoint]) => findUnlimited(name, endpoint))
    .map((part) => `${part} has no limit`)

type Cost = { status: number; loop_ms: number; growth_mb: number; bytes: number }

/** Returns the cost of a request: the minimum of several rounds for time and memory. */
const costOf = async (
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
const excessesOf = (name: string, cost: Cost, max_bytes = MAX_ANSWER_BYTES): string[] => [
  ...(cost.loop_ms > MAX_LOOP_MS ? [`${name}: event loop ${Math.round(cost.loop_ms)} ms`] : []),
  ...(cost.growth_mb > MAX_GROWTH_MB ? [`${name}: memory ${Math.round(cost.growth_mb)} MB`] : []),
  ...(cost.bytes > max_bytes ? [`${name}: an answer of ${cost.bytes} bytes`] : []),
  ...(cost.status >= 500 || cost.status === 0 ? [`${name}: answered ${cost.status}`] : []),
]

const sendRequest = async (
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
  return `${costs.length} calls, event loop ${worst(({ loop_ms }) => loop_ms)} ms, memory ${worst(({ growth_mb }) => growth_mb)} MB, answer ${Math.round(worst(({ bytes }) => bytes) / 1_024)} KiB`
}

/** Puts existing ids into a generated body, so that the product does not refuse it at the first look-up. */
const withExistingIds = (name: string, value: unknown, quiz: SampleQuiz): unknown => {
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
  const successes: string[] = []
  const costs: Cost[] = []
  for (const [name, endpoint] of contractCalls) {
    const schema = bodySchemaOf(endpoint)
    if (!schema || name === 'account.remove') continue
    const quiz = await publishedScoreQuiz(client)
    const path = callUrl(endpoint, quiz)
    const body = withExistingIds(name, generate(schema, maxBodyCharacters(endpoint)).value, quiz)
    const cost = await costOf(site, () => sendRequest(site, endpoint, path, access_token, body))
    costs.push(cost)
    successes.push(...excessesOf(name, cost))
  }
  context.note(worstOf(costs))
  return successes
}

/** Calls that read a quiz. */
const readCalls = contractCalls.filter(
  ([, { method, path }]) => method === 'GET' && path.includes('{id}'),
)

const visitPage = async (
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
  (kind: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const site = await context.measured()
    const creator = await site.creator()
    const part = GROWTH_KINDS[kind]
    if (!part) throw new Error(`no direction ${kind}`)
    const largest_quiz = await growQuiz(creator.client, part)
    assertPrecondition(largest_quiz.nb_parts > 0, 'no part is accepted')
    const successes: string[] = []
    const costs: Record<string, Cost> = {}
    const measure = async (
      name: string,
      send: () => Promise<{ status: number; bytes: number }>,
      max_bytes?: number,
    ): Promise<void> => {
      const cost = await costOf(site, send)
      costs[name] = cost
      successes.push(...excessesOf(name, cost, max_bytes))
    }
    for (const [name, send] of Object.entries(callsOfQuiz(site, creator, largest_quiz)))
      await measure(name, send, name === 'page' ? MAX_PAGE_BYTES : undefined)
    assertPrecondition(
      costs.publish?.status === 200,
      `it cannot be published: ${costs.publish?.status}`,
    )
    context.note(`${largest_quiz.nb_parts} parts, ${worstOf(Object.values(costs))}`)
    const page = costs.page?.bytes ?? 0
    context.note(`page ${Math.round(page / 1_024)} KiB`)
    return successes
  }

type Send = () => Promise<{ status: number; bytes: number }>

/** Returns the calls that creators and visitors make on a quiz, by name. */
const callsOfQuiz = (
  site: MeasuredSite,
  { client, access_token }: { client: Client; access_token: string },
  largest_quiz: GrownQuiz,
): Record<string, Send> => {
  const { id, question_id, open_id, answer_ids } = largest_quiz
  const post = { method: 'POST' } as const
  const own =
    (path: string, method: 'POST' | 'PUT' = 'POST', body?: unknown): Send =>
    () =>
      sendRequest(site, { method }, `${BASE_PATH}${path}`, access_token, body)
  const answers = async (): Promise<Record<string, string>> => {
    const { questions } = await client.questions.unified({ id })
    return Object.fromEntries(
      questions.map(({ id: key, type, answers: [first] }) => [
        key,
        first?.id ?? (type === 'email' ? 'p@exemple.fr' : 'p'.repeat(10_000)),
      ]),
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
    page: () => visitPage(site, `/q/${id}`),
    'shared result': () => visitPage(site, `/q/${id}?r=${(rank++ % 100) + 1}`),
    save: () =>
      sendRequest(site, { method: 'PUT' }, `${BASE_PATH}/questions/${question_id}`, access_token, {
        text: `Votre agenda ${rank++} ?`,
      }),
    publishAgain: own(`/quizzes/${id}/publish`),
    submission: async () => {
      replies ??= await answers()
      return sendRequest(site, post, `${BASE_PATH}/quizzes/${id}/submit`, '', { answers: replies })
    },
    form: async () => {
      fields ??= await form()
      return postForm(site, id, fields)
    },
    duplicate: own(`/quizzes/${id}/duplicate`),
    ...Object.fromEntries(
      readCalls.map(([name, endpoint]): [string, Send] => [
        name,
        () => sendRequest(site, endpoint, callUrl(endpoint, largest_quiz), access_token),
      ]),
    ),
    resetMode: own(`/quizzes/${id}/mode/reset`),
  }
}

/** Attacks with the largest inputs that the contract allows. */
export const largestInputs: Attack[] = [
  { name: 'largest: parts of the contract without a limit', run: findPartsWithoutLimit },
  { name: 'largest: the largest body of every call', run: sendLargestBodies },
  ...Object.keys(GROWTH_KINDS).map((kind) => ({
    name: `largest: every call on the quiz with the most ${kind}`,
    run: useLargestQuiz(kind),
  })),
]
