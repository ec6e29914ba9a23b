import type { Client } from '#contract/client/client.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import type { AttackContext } from '../attack.ts'

/** Published quiz of an account on a site without rate limits. */
export type QuizScene = { origin: string; client: Client; access_token: string; quiz: SampleQuiz }

/** Creates the scene. */
export const openQuizScene = async ({ site }: AttackContext): Promise<QuizScene> => {
  const { origin } = await site('without_confirmation')
  const access_token = await signUp(origin)
  const client = clientOf(origin, access_token)
  return { origin, client, access_token, quiz: await publishedScoreQuiz(client) }
}
