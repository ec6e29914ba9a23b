import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { keepPages, RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { publishReportQuiz, type ReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type AttackContext, assertPrecondition } from '../attack.ts'

/** Quiz that gives every kind of link, a victim who answered it, and a key that may read. */
export type LinksScene = {
  origin: string
  client: Client
  quiz: ReportQuiz
  participant_uuid: string
  tokens: { report: string; certificate: string; own_page: string }
  key: string
  answers: Record<string, string>
}

/** Answer of the site, with its text. */
export type TextAnswer = { status: number; text: string; type: string }

const MAX_DURATION_MS = 60_000

/** Makes one call without following redirects. `body` is sent as JSON, `form` as a form; without either, the method is GET. */
export const ask = async (
  url: string,
  { key, body, form }: { key?: string; body?: object; form?: Record<string, string> } = {},
): Promise<TextAnswer> => {
  const response = await fetch(url, {
    method: body || form ? 'POST' : 'GET',
    redirect: 'manual',
    signal: AbortSignal.timeout(MAX_DURATION_MS),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(form && { body: new URLSearchParams(form) }),
  })
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, text: await response.text(), type }
}

/** Submits replies to the quiz of a scene, with the id and the secret that are given. */
export const submitTo = async (
  { origin, quiz, answers }: LinksScene,
  run: { participant_uuid: string; run_secret?: string },
  given: Record<string, string> = answers,
): Promise<{ status: number; text: string }> =>
  ask(`${origin}/api/v1/quizzes/${quiz.id}/submit`, { body: { answers: given, ...run } })

/** Creates a scene on a site. Fails if the victim does not get every kind of link. */
export const openLinksScene = async ({ site }: AttackContext): Promise<LinksScene> => {
  const { origin } = await site('without_confirmation')
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
