import { STRANGER_TEXTS } from '#domain/testing/stranger-texts.ts'
import { callUrl, contractCalls } from '#server/testing/app/contract-calls.ts'
import { bodySchemaOf, generate, maxBodyCharacters } from '#server/testing/quizzes/largest-input.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Attack, AttackContext } from '../attack.ts'
import { costOf, excessesOf, sendRequest, withExistingIds, worstOf } from './measured-calls.ts'

/** Sends the largest body of every call, with texts of one shape in each field that takes a text. */
const sendShape =
  (shape: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const fill = STRANGER_TEXTS[shape]
    if (!fill) throw new Error(`no shape ${shape}`)
    const site = await context.measured()
    const { client, access_token } = await site.creator()
    const quiz = await publishedScoreQuiz(client)
    const successes: string[] = []
    const costs = []
    for (const [name, endpoint] of contractCalls) {
      const schema = bodySchemaOf(endpoint)
      if (!schema || name === 'account.remove') continue
      const { value } = generate(schema, maxBodyCharacters(endpoint), fill)
      const body = withExistingIds(name, value, quiz)
      const path = callUrl(endpoint, quiz)
      const cost = await costOf(site, () => sendRequest(site, endpoint, path, access_token, body))
      costs.push(cost)
      successes.push(...excessesOf(name, cost))
    }
    context.note(worstOf(costs))
    return successes
  }

/** Attacks with every shape of text in every field of the contract. A new field or call is covered without a change here. */
export const shapedTexts: Attack[] = Object.keys(STRANGER_TEXTS).map((shape) => ({
  name: `shapes: ${shape} in every text of every call`,
  run: sendShape(shape),
}))
