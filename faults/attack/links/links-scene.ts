import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { keepPages, RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { publishReportQuiz, type ReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { type Answer, type AttackRequest, send } from '../runner/requests.ts'

/** Quiz that gives every kind of link, a victim who answered it, and a key that may read. */
export type LinksScene = {
  origin: string
  client: Client
  quiz: ReportQuiz
  participant_uuid: string
  /** Last parts of the links of the victim. */
  tokens: { report: string; certificate: string; own_page: string }
  /** API key of the creator that may read. */
  key: string
  answers: Record<string, string>
}

/** Timeout of a page or a document on a busy machine. */
const TIMEOUT_MS = 60_000

/** Sends a request below the address of the quiz page, such as `/resultat`. */
export const callPage = (
  { origin, quiz }: LinksScene,
  path = '',
  request?: AttackRequest,
): Promise<Answer> => send(`${origin}/q/${quiz.id}${path}`, { timeout_ms: TIMEOUT_MS, ...request })

/** Sends a request to the API of the quiz, such as `/snapshot`. */
export const callApi = (
  { origin, quiz }: LinksScene,
  path: string,
  request?: AttackRequest,
): Promise<Answer> =>
  send(`${origin}/api/v1/quizzes/${quiz.id}${path}`, { timeout_ms: TIMEOUT_MS, ...request })

/** Submits replies to the quiz as the participant with an id and a secret. */
export const submitAs = (
  scene: LinksScene,
  run: { participant_uuid: string; run_secret?: string },
  answers: Record<string, string> = scene.answers,
): Promise<Answer> => {
  const { participant_uuid, run_secret } = run
  return callApi(scene, '/submit', { body: { answers, participant_uuid, run_secret } })
}

/** Creates a scene on a site. Fails if the victim does not get every kind of link. */
export const openLinksScene = async ({ configuredSite }: AttackContext): Promise<LinksScene> => {
  const { origin } = await configuredSite('without_confirmation')
  const client = clientOf(origin, await signUp(origin))
  const quiz = await publishReportQuiz(client)
  await keepPages(client, quiz)
  const answers = {
    [quiz.question_id]: quiz.answer_ids[1] ?? '',
    [quiz.open_id]: 'victime@exemple.fr',
    [quiz.first_name_id]: 'Victime',
  }
  const participant_uuid = randomUUID()
  const body = { answers, participant_uuid, run_secret: RUN_SECRET }
  const { documents } = await clientOf(origin).publicQuiz.submit({ id: quiz.id, body })
  const tokenOf = (path: string | undefined): string => path?.split('/').at(-1) ?? ''
  const tokens = {
    report: tokenOf(documents?.report),
    certificate: tokenOf(documents?.certificate),
    own_page: tokenOf(documents?.own_page),
  }
  assertPrecondition(Object.values(tokens).every(Boolean), 'the victim got no links')
  const { secret: key } = await client.apiKeys.create({
    body: { name: 'Lecture', scope: 'lecture', expires_in_days: null },
  })
  return { origin, client, quiz, participant_uuid, tokens, key, answers }
}
