import { randomUUID } from 'node:crypto'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { LIMITS, QUESTION_TYPES } from '#domain/common/vocabulary.ts'
import { STRANGER_TEXTS } from '#domain/testing/stranger-texts.ts'
import { callUrl, type contractCalls } from '#server/testing/app/contract-calls.ts'
import { type FillText, generate, querySchemaOf } from '#server/testing/quizzes/largest-input.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Attack, AttackContext } from '../runner/attack.ts'
import type { Account } from '../runner/measured-site.ts'
import { type Answer, postForm } from '../runner/requests.ts'
import {
  describeWorstCosts,
  findCostExcesses,
  makeContractCall,
  measureCost,
  openPage,
  READ_CALLS,
} from './measured-calls.ts'
import { sendLargestBodies } from './send-bodies.ts'

/** Measures a call and stores its cost under a name. */
type MeasureCall = (name: string, makeCall: () => Promise<Answer>) => Promise<void>

/** Returns a function that makes texts of one shape. A different end makes them differ, because equal texts are parsed only once. */
const createFill =
  (shape: string): FillText =>
  (length, rank) => {
    const end = rank.toString(36)
    const make = STRANGER_TEXTS[shape] ?? (() => '')
    return length > 4 * end.length ? make(length - end.length) + end : make(length) || 'a'
  }

/** Maximum length of an encoded query, because all headers together may have 16 KiB. */
const MAX_QUERY_BYTES = 8_000

const encodeQuery = (values: unknown): string =>
  new URLSearchParams(
    Object.entries(values as Record<string, string>).filter(([, value]) => value !== null),
  ).toString()

/** Returns the longest query of a call within the limit of all headers. Empty if the call has no query. */
const queryOf = (endpoint: (typeof contractCalls)[number][1], fill: FillText): string => {
  const schema = querySchemaOf(endpoint)
  if (!schema) return ''
  for (let length = MAX_QUERY_BYTES; length > 100; length = Math.floor(length / 2)) {
    const query = encodeQuery(generate(schema, length, fill).value)
    if (query.length <= MAX_QUERY_BYTES) return query
  }
  return ''
}

/** Number of letters of a question's text. Longer texts of the heaviest shapes would exceed the size of a questionnaire. */
const QUESTION_LETTERS = 200

/** Publishes a quiz with a question of every type that visitors answer with a text; returns its ids. */
const publishOpenQuiz = async (
  { client }: Account,
  fill: FillText,
): Promise<{ id: string; questions: { id: string; type: string }[] }> => {
  const { id } = await publishedScoreQuiz(client)
  const questions = QUESTION_TYPES.filter((type) => type !== 'multiple_choice').map(
    (type, position) => ({
      id: randomUUID(),
      type,
      label: `nom ${position}`,
      global_position: position,
      text: fill(QUESTION_LETTERS, position).trim() || '?',
    }),
  )
  const content = questions.map(({ label }) => `{{${label}}}`).join(' ')
  await client.questions.saveDraft({
    id,
    body: { questions, text_blocks: [{ content, global_position: 100 }] },
  })
  await client.quizzes.publish({ id })
  return { id, questions }
}

/** Measures the calls of visitors whose replies have one shape, and then the calls that read the quiz. */
const answerQuiz = async (
  account: Account,
  fill: FillText,
  measure: MeasureCall,
): Promise<void> => {
  const { site } = account
  const { id, questions } = await publishOpenQuiz(account, fill)
  const repliesTo = (types: readonly string[]) =>
    Object.fromEntries(
      questions
        .filter(({ type }) => types.includes(type))
        .map(({ id: key }, rank) => [key, fill(LIMITS.typed_answer, rank)]),
    )
  const submitTo = (types: readonly string[]) => () =>
    makeContractCall(
      site,
      { method: 'POST' },
      { path: `${BASE_PATH}/quizzes/${id}/submit`, body: { answers: repliesTo(types) } },
    )
  for (const type of ['email', 'phone', 'number', 'scale', 'date'])
    await measure(`reply ${type}`, submitTo([type]))
  await measure('replies', submitTo(['text', 'textarea']))
  await measure('form', () => postForm(site.origin, id, repliesTo(QUESTION_TYPES)))
  const parameters = encodeURIComponent(fill(600, 0))
  await measure('page', () => openPage(site, `/q/${id}?utm_source=${parameters}`))
  await readQuiz(account, { id, fill, prefix: 'replies: ' }, measure)
}

/** Measures each call that reads a quiz, without and with a query of one shape. */
const readQuiz = async (
  { site, access_token: token }: Account,
  { id, fill, prefix }: { id: string; fill: FillText; prefix: string },
  measure: MeasureCall,
): Promise<void> => {
  const ids: SampleQuiz = { id, question_id: id, open_id: id, answer_ids: [id], result_ids: [id] }
  for (const [name, endpoint] of READ_CALLS) {
    const path = callUrl(endpoint, ids)
    const query = queryOf(endpoint, fill)
    await measure(prefix + name, () => makeContractCall(site, endpoint, { path, token }))
    const long_path = `${path.split('?')[0]}?${query}`
    if (query)
      await measure(`${prefix}${name} with a query`, () =>
        makeContractCall(site, endpoint, { path: long_path, token }),
      )
  }
}

/** Sends the largest bodies of every call with texts of one shape, and uses the quizzes that have these texts. */
const sendShape =
  (shape: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const account = await context.openAccount()
    const { site, access_token: token } = account
    const fill = createFill(shape)
    const { costs, quiz } = await sendLargestBodies(account, fill)
    const measure: MeasureCall = async (name, makeCall) => {
      costs[name] = await measureCost(site, makeCall)
    }
    const path = `${BASE_PATH}/quizzes/${quiz.id}/publish`
    await measure('publish', () => makeContractCall(site, { method: 'POST' }, { path, token }))
    await measure('page of texts', () => openPage(site, `/q/${quiz.id}`))
    await readQuiz(account, { id: quiz.id, fill, prefix: 'texts: ' }, measure)
    await answerQuiz(account, fill, measure)
    context.note(describeWorstCosts(costs))
    return Object.entries(costs).flatMap(([name, cost]) => findCostExcesses(name, cost))
  }

/** Attacks with every shape of text in every field of the contract. A new field or call is covered without a change here. */
export const textShapes: Attack[] = Object.keys(STRANGER_TEXTS).map((shape) => ({
  name: `shapes: ${shape} in every text of every call`,
  run: sendShape(shape),
}))
