import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { LIMITS, QUESTION_TYPES } from '#domain/common/vocabulary.ts'
import { STRANGER_TEXTS } from '#domain/testing/stranger-texts.ts'
import { callUrl, type contractCalls } from '#server/testing/app/contract-calls.ts'
import { type FillText, generate, querySchemaOf } from '#server/testing/quizzes/largest-input.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Attack, AttackContext } from '../attack.ts'
import { postForm } from '../loads/post-form.ts'
import type { MeasuredSite } from '../measured-site.ts'
import { readCalls, visitPage } from './largest-inputs.ts'
import { type Cost, costOf, excessesOf, sendRequest, worstOf } from './measured-calls.ts'
import { sendBodies } from './send-bodies.ts'

type Creator = { client: Client; access_token: string }

/** Returns texts of one shape. A different end makes them differ, because equal texts are parsed only once. */
const fillOf =
  (shape: string): FillText =>
  (length, rank) => {
    const end = rank.toString(36)
    const make = STRANGER_TEXTS[shape] ?? (() => '')
    return length > 4 * end.length ? make(length - end.length) + end : make(length) || 'a'
  }

/** Maximum length of an encoded query, because all headers together may have 16 KiB. */
const MAX_QUERY_BYTES = 8_000

const encodedQuery = (values: unknown): string =>
  new URLSearchParams(
    Object.entries(values as Record<string, string>).filter(([, value]) => value !== null),
  ).toString()

/** Returns the longest query of a call within the limit of all headers. Empty if the call has no query. */
const queryOf = (endpoint: (typeof contractCalls)[number][1], fill: FillText): string => {
  const schema = querySchemaOf(endpoint)
  if (!schema) return ''
  for (let room = MAX_QUERY_BYTES; room > 100; room = Math.floor(room / 2)) {
    const query = encodedQuery(generate(schema, room, fill).value)
    if (query.length <= MAX_QUERY_BYTES) return query
  }
  return ''
}

/** Letters of a question's text. Longer texts of the heaviest shapes would exceed the size of a questionnaire. */
const QUESTION_LETTERS = 200

/** Publishes a quiz with a question of every type that visitors answer with a text; returns its ids. */
const publishOpenQuiz = async (
  { client }: Creator,
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
const useQuiz = async (
  site: MeasuredSite,
  creator: Creator,
  fill: FillText,
  measure: (name: string, send: () => Promise<{ status: number; bytes: number }>) => Promise<void>,
): Promise<void> => {
  const { id, questions } = await publishOpenQuiz(creator, fill)
  const submit = (replies: Record<string, string>) => () =>
    sendRequest(site, { method: 'POST' }, `${BASE_PATH}/quizzes/${id}/submit`, '', {
      answers: replies,
    })
  const replies = (types: readonly string[]) =>
    Object.fromEntries(
      questions
        .filter(({ type }) => types.includes(type))
        .map(({ id: key }, rank) => [key, fill(LIMITS.typed_answer, rank)]),
    )
  for (const type of ['email', 'phone', 'number', 'scale', 'date'])
    await measure(`reply ${type}`, submit(replies([type])))
  await measure('replies', submit(replies(['text', 'textarea'])))
  await measure('form', () => postForm(site, id, replies(QUESTION_TYPES)))
  const parameters = encodeURIComponent(fill(600, 0))
  await measure('page', () => visitPage(site, `/q/${id}?utm_source=${parameters}`))
  await readQuiz(site, creator, { id, fill, prefix: 'replies: ', measure })
}

type Read = {
  id: string
  fill: FillText
  prefix: string
  measure: (name: string, send: () => Promise<{ status: number; bytes: number }>) => Promise<void>
}

const readQuiz = async (
  site: MeasuredSite,
  { access_token }: Creator,
  { id, fill, prefix, measure }: Read,
): Promise<void> => {
  const ids: SampleQuiz = { id, question_id: id, open_id: id, answer_ids: [id], result_ids: [id] }
  for (const [name, endpoint] of readCalls) {
    const path = callUrl(endpoint, ids)
    const query = queryOf(endpoint, fill)
    await measure(prefix + name, () => sendRequest(site, endpoint, path, access_token))
    if (query)
      await measure(`${prefix}${name} with a query`, () =>
        sendRequest(site, endpoint, `${path.split('?')[0]}?${query}`, access_token),
      )
  }
}

/** Sends the largest bodies of every call with texts of one shape, and uses the quizzes that have these texts. */
const sendShape =
  (shape: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const site = await context.measured()
    const creator = await site.creator()
    const fill = fillOf(shape)
    const { costs, quiz } = await sendBodies(site, creator, fill)
    const measure = async (
      name: string,
      send: () => Promise<{ status: number; bytes: number }>,
    ): Promise<void> => {
      costs[name] = await costOf(site, send)
    }
    const publish = `${BASE_PATH}/quizzes/${quiz.id}/publish`
    await measure('publish', () =>
      sendRequest(site, { method: 'POST' }, publish, creator.access_token),
    )
    await measure('page of texts', () => visitPage(site, `/q/${quiz.id}`))
    await readQuiz(site, creator, { id: quiz.id, fill, prefix: 'texts: ', measure })
    await useQuiz(site, creator, fill, measure)
    context.note(worstOf(costs))
    return Object.entries(costs).flatMap(([name, cost]: [string, Cost]) => excessesOf(name, cost))
  }

/** Attacks with every shape of text in every field of the contract. A new field or call is covered without a change here. */
export const shapedTexts: Attack[] = Object.keys(STRANGER_TEXTS).map((shape) => ({
  name: `shapes: ${shape} in every text of every call`,
  run: sendShape(shape),
}))
