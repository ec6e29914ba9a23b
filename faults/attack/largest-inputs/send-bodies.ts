import { setTimeout as pause } from 'node:timers/promises'
import type { Endpoint } from '#contract/kit/endpoint.ts'
import { callUrl, contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { largestBodiesOf } from '#server/testing/quizzes/accepted-bodies.ts'
import { bodySchemaOf, type FillText, generate } from '#server/testing/quizzes/largest-input.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Account } from '../runner/measured-site.ts'
import {
  CLOSED_CONNECTIONS_MS,
  type Cost,
  makeContractCall,
  measureCost,
} from './measured-calls.ts'

/** Number of characters of a body in which every field has a value. */
const SMALL_BODY = 20_000

/** Returns true if the call changes the parts of a quiz, so that the ids of a quiz are valid for one call only. */
const replacesParts = (name: string): boolean => /^(quizzes|drafts|results|questions)\./.test(name)

/** Returns true if the body of the call has a text that `generate` fills. */
const hasText = (endpoint: Endpoint): boolean => {
  const schema = bodySchemaOf(endpoint)
  let nb_texts = 0
  if (schema) generate(schema, SMALL_BODY, (length) => 'a'.repeat(Math.min(length, ++nb_texts)))
  return nb_texts > 0
}

/** Costs of the calls with a body, by name; refused calls; the quiz whose draft received the largest save. */
export type LargestBodies = { costs: Record<string, Cost>; refused: string[]; quiz: SampleQuiz }

/**
 * Sends the largest bodies of every call that has a text in its body: with a text in each field, and in the fields that
 * accept any text. `fill` makes the texts; without it, they are different letters.
 */
export const sendLargestBodies = async (
  { site, client, access_token }: Account,
  fill?: FillText,
): Promise<LargestBodies> => {
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
      return makeContractCall(site, endpoint, { path, token: access_token, body })
    }
    costs[`${name} (every field)`] = await measureCost(site, send(bodies?.every_field))
    costs[`${name} (largest)`] = await measureCost(site, send(bodies?.largest))
    const cost = await measureCost(site, send(bodies?.accepted))
    costs[name] = cost
    if (cost.status >= 400) refused.push(`${name} ${cost.status}`)
  }
  return { costs, refused, quiz: saved }
}
