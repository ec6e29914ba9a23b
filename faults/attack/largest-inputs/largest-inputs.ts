import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { callUrl, contractCalls } from '#server/testing/app/contract-calls.ts'
import { findUnlimited } from '#server/testing/quizzes/largest-input.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import type { Account } from '../runner/measured-site.ts'
import { type Answer, postForm } from '../runner/requests.ts'
import { GROWTH_KINDS, type GrownQuiz, growQuiz } from './grow-quiz.ts'
import {
  type Cost,
  describeWorstCosts,
  findCostExcesses,
  makeContractCall,
  measureCost,
  openPage,
  READ_CALLS,
} from './measured-calls.ts'
import { sendLargestBodies } from './send-bodies.ts'

const PAGE_LIMITS = { answer_bytes: 2 * 1_048_576 }

const findPartsWithoutLimit = async (): Promise<string[]> =>
  contractCalls
    .flatMap(([name, endpoint]) => findUnlimited(name, endpoint))
    .map((part) => `${part} has no limit`)

const measureLargestBodies = async (context: AttackContext): Promise<string[]> => {
  const { costs, refused } = await sendLargestBodies(await context.openAccount())
  context.note(describeWorstCosts(costs))
  context.note(`refused as a whole: ${refused.join(', ') || 'none'}`)
  return Object.entries(costs).flatMap(([name, cost]) => findCostExcesses(name, cost))
}

type NamedCall = [name: string, makeCall: () => Promise<Answer>]

/** Returns the calls that creators and visitors make on a quiz, in the order in which they are measured. */
const callsOfQuiz = (
  { site, client, access_token: token }: Account,
  largest_quiz: GrownQuiz,
): NamedCall[] => {
  const { id, question_id, open_id, answer_ids } = largest_quiz
  const callAsOwner = (path: string, method: 'POST' | 'PUT' = 'POST', body?: unknown) =>
    makeContractCall(site, { method }, { path: BASE_PATH + path, token, body })
  /** Returns a reply to each question. */
  const createReplies = async (): Promise<Record<string, string>> => {
    const { questions } = await client.questions.unified({ id })
    return Object.fromEntries(
      questions.map(({ id: key, type, answers: [first] }) => [
        key,
        first?.id ?? (type === 'email' ? 'p@exemple.fr' : 'p'.repeat(10_000)),
      ]),
    )
  }
  const form = { [question_id]: answer_ids[0] ?? '', [open_id]: 'é'.repeat(5_000) }
  let replies: Record<string, string> | undefined
  let rank = 0
  return [
    ['publish', () => callAsOwner(`/quizzes/${id}/publish`)],
    ['page', () => openPage(site, `/q/${id}`)],
    ['shared result', () => openPage(site, `/q/${id}?r=${(rank++ % 100) + 1}`)],
    [
      'save',
      () => callAsOwner(`/questions/${question_id}`, 'PUT', { text: `Votre agenda ${rank++} ?` }),
    ],
    ['publishAgain', () => callAsOwner(`/quizzes/${id}/publish`)],
    [
      'submission',
      async () => {
        replies ??= await createReplies()
        const path = `${BASE_PATH}/quizzes/${id}/submit`
        return makeContractCall(site, { method: 'POST' }, { path, body: { answers: replies } })
      },
    ],
    ['form', () => postForm(site.origin, id, form)],
    ['duplicate', () => callAsOwner(`/quizzes/${id}/duplicate`)],
    ...READ_CALLS.map(([name, endpoint]): NamedCall => {
      const path = callUrl(endpoint, largest_quiz)
      return [name, () => makeContractCall(site, endpoint, { path, token })]
    }),
    ['resetMode', () => callAsOwner(`/quizzes/${id}/mode/reset`)],
  ]
}

/** Returns an attack that grows a quiz until the product refuses another part, and then makes every call on the quiz. */
const useLargestQuiz =
  (kind: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const account = await context.openAccount()
    const part = GROWTH_KINDS[kind]
    if (!part) throw new Error(`there is no kind of growth ${kind}`)
    const largest_quiz = await growQuiz(account.client, part)
    assertPrecondition(largest_quiz.nb_parts > 0, 'no part is accepted')
    const successes: string[] = []
    const costs: Record<string, Cost> = {}
    for (const [name, makeCall] of callsOfQuiz(account, largest_quiz)) {
      const cost = await measureCost(account.site, makeCall)
      costs[name] = cost
      successes.push(...findCostExcesses(name, cost, name === 'page' ? PAGE_LIMITS : {}))
    }
    const { publish, page } = costs
    assertPrecondition(publish?.status === 200, `a publication is answered ${publish?.status}`)
    context.note(`${largest_quiz.nb_parts} parts, ${describeWorstCosts(costs)}`)
    context.note(`page ${Math.round((page?.answer_bytes ?? 0) / 1_024)} KiB`)
    return successes
  }

/** Attacks with the largest inputs that the contract allows. */
export const largestInputs: Attack[] = [
  { name: 'largest: parts of the contract without a limit', run: findPartsWithoutLimit },
  { name: 'largest: the largest body of every call', run: measureLargestBodies },
  ...Object.keys(GROWTH_KINDS).map((kind) => ({
    name: `largest: every call on the quiz with the most ${kind}`,
    run: useLargestQuiz(kind),
  })),
]
