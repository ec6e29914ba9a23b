import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import type { Endpoint } from '#contract/kit/endpoint.ts'
import { callUrl, contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { largestBodiesOf } from '#server/testing/quizzes/accepted-bodies.ts'
import { bodySchemaOf, type FillText, generate } from '#server/testing/quizzes/largest-input.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { MeasuredSite } from '../measured-site.ts'
import { CLOSED_CONNECTIONS_MS, type Cost, costOf, sendRequest } from './measured-calls.ts'

/** Characters of a body in which every field has a value. */
const SMALL_BODY = 20_000

type Creator = { client: Client; access_token: string }

/** True if the call changes the parts of a quiz, so that the ids of a quiz are valid for one call only. */
const replacesParts = (name: string): boolean => /^(quizzes|drafts|results|questions)\./.test(name)

/** True if the body of the call has a text that `generate` fills. */
const hasText = (endpoint: Endpoint): boolean => {
  const schema = bodySchemaOf(endpoint)
  let nb_texts = 0
  if (schema) generate(schema, SMALL_BODY, (length) => 'a'.repeat(Math.min(length, ++nb_texts)))
  return nb_texts > 0
}

/** Costs of the calls with a body, by name. `quiz` is that whose draft has the largest save. */
export type SentBodies = { costs: Record<string, Cost>; refused: string[]; quiz: SampleQuiz }

/**
 * Sends the largest bodies of every call that has a text in its body: with a text in each field, and in the fields that
 * accept any text. `fill` makes the texts; without it, they are different letters.
 */
export const sendBodies = async (
  site: MeasuredSite,
  { client, access_token }: Creator,
  fill?: FillText,
): Promise<SentBodies> => {
  const costs: Record<string, Cost> = {}
  const refused: string[] = []
  const shared = await publishedScoreQuiz(client)
  let saved = shared
  for (const [name, endpoint] of contractCalls) {
    if (name === 'account.remove' || !(endpoint.body_json ?? endpoint.body)) continue
    const bodiesOf = (quiz: SampleQuiz) =>
      largestBodiesOf([name, endpoint], { quiz, valid: validBodies(quiz)[name], fill })
    if (!hasText(endpoint)) continue
    const quiz = replacesParts(name) ? await publishedScoreQuiz(client) : shared
    if (name === 'drafts.save') saved = quiz
    const bodies = bodiesOf(quiz)
    await pause(CLOSED_CONNECTIONS_MS)
    const path = callUrl(endpoint, quiz)
    const send = (body: unknown) => async () => {
      // A save of an older revision would be refused before its texts are used.
      if (Object(body).based_on !== undefined)
        Object(body).based_on = (await client.drafts.get({ id: quiz.id })).revision
      return sendRequest(site, endpoint, path, access_token, body)
    }
    costs[`${name} (every field)`] = await costOf(site, send(bodies?.every_field))
    costs[`${name} (largest)`] = await costOf(site, send(bodies?.largest))
    const cost = await costOf(site, send(bodies?.accepted))
    costs[name] = cost
    if (cost.status >= 400) refused.push(`${name} ${cost.status}`)
  }
  return { costs, refused, quiz: saved }
}
