import type { Client } from '#contract/client/client.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type Attack, type AttackContext, assertPrecondition } from './attack.ts'
import type { Answer } from './requests.ts'

/** Short form of an attack that needs prepared data: its printed name, and a function that returns the successes. */
export type SceneAttack<Scene> = [name: string, run: (scene: Scene) => Promise<string[]>]

/** Returns attacks that share one scene. The first attack that runs prepares the scene. */
export const createSceneAttacks = <Scene>(
  openScene: (context: AttackContext) => Promise<Scene>,
  attacks: SceneAttack<Scene>[],
): Attack[] => {
  let opening: Promise<Scene> | undefined
  return attacks.map(([name, run]) => ({
    name,
    run: async (context) => {
      opening ??= openScene(context)
      return run(await opening)
    },
  }))
}

/** Published quiz of an account on a site without rate limits. */
export type QuizScene = { origin: string; client: Client; access_token: string; quiz: SampleQuiz }

/** Creates an account and a published quiz on the site without rate limits. */
export const openQuizScene = async ({ configuredSite }: AttackContext): Promise<QuizScene> => {
  const { origin } = await configuredSite('without_confirmation')
  const access_token = await signUp(origin)
  const client = clientOf(origin, access_token)
  return { origin, client, access_token, quiz: await publishedScoreQuiz(client) }
}

/** Maximum time of an answer to a hostile value. */
const MAX_ANSWER_MS = 2_000

/** Returns the harm that any answer may show: an error of the server, or a wait. */
const findHarm = ({ status, ms }: Answer): string | undefined => {
  // 501 means that oEmbed has no other format than JSON.
  if (status >= 500 && status !== 501) return `status ${status}`
  return ms > MAX_ANSWER_MS ? `an answer after ${Math.round(ms)} ms` : undefined
}

/** Returns the beginning of a value for a printed line. */
export const abbreviate = (value: unknown): string => String(JSON.stringify(value)).slice(0, 80)

/**
 * Sends each hostile value. Returns a line for each value that harms the server or for which `findSuccess` returns a
 * text. Throws if there are no values.
 */
export const sendEach = async <Value>(
  values: readonly Value[],
  sendValue: (value: Value) => Promise<Answer>,
  findSuccess: (answer: Answer, value: Value) => string | undefined,
): Promise<string[]> => {
  assertPrecondition(values.length > 0, 'there are no values')
  const successes: string[] = []
  for (const value of values) {
    const answer = await sendValue(value)
    const success = findHarm(answer) ?? findSuccess(answer, value)
    if (success) successes.push(`${abbreviate(value)}: ${success}`)
  }
  return successes
}

/** Returns a check for `sendEach`: every status outside `refusals` is a success of the attacker. */
export const expectStatus =
  (...refusals: number[]) =>
  ({ status }: Answer): string | undefined =>
    refusals.includes(status) ? undefined : `status ${status}`
