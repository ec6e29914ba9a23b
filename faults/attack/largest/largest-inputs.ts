import type { Client } from '#contract/client/client.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { callUrl, contractCalls } from '#server/testing/app/contract-calls.ts'
import { findUnlimited } from '#server/testing/quizzes/largest-input.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { postForm } from '../loads/post-form.ts'
import type { MeasuredSite } from '../measured-site.ts'
import { GROWTH_KINDS, type GrownQuiz, growQuiz } from './grow-quiz.ts'
import { type Cost, costOf, excessesOf, sendRequest, worstOf } from './measured-calls.ts'
import { sendBodies } from './send-bodies.ts'

const MAX_PAGE_BYTES = 2 * 1_048_576
const findPartsWithoutLimit = async (): Promise<string[]> =>
  contractCalls
    .flatMap(([name, endpoint]) => findUnlimited(name, endpoint))
    .map((part) => `${part} has no limit`)

const sendLargestBodies = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { costs, refused } = await sendBodies(site, await site.creator())
  context.note(worstOf(costs))
  context.note(`refused as a whole: ${refused.join(', ') || 'none'}`)
  return Object.entries(costs).flatMap(([name, cost]) => excessesOf(name, cost))
}

/** Calls that read a quiz. */
export const readCalls = contractCalls.filter(
  ([, { method, path }]) => method === 'GET' && path.includes('{id}'),
)

/** Opens a page of visitors from a network of its own. */
export const visitPage = async (
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
    context.note(`${largest_quiz.nb_parts} parts, ${worstOf(costs)}`)
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
