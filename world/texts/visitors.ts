import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { isBlankText, withoutControls } from '#domain/common/text.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { OTHER, otherAnswerText, otherField } from '#domain/run/replies.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import type { TestApp } from '#server/testing/app/test-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { assertFrench, readRefusal } from './problems.ts'

/** Published questionnaire as visitors use it. The first question is a required choice. */
export type OpenQuiz = { id: string; questions: readonly Question[] }

/** Run whose visitor was thanked, with the reply that must be stored to the question at `rank`. */
export type ThankedRun = {
  participant_uuid: string
  rank: number
  text: string
  way: string
  /** Paths of the documents that the page offers; absent for a run without scripts. */
  documents?: { report?: string; certificate?: string; own_page?: string }
}

/** Control characters except tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that a page must not have
const CONTROL_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** Opens a page. Fails unless it is answered with 200 and shows no raw control character. Returns its HTML. */
export const openPage = async (app: TestApp, url: string): Promise<string> => {
  const { statusCode, body } = await app.raw({ url, headers: { accept: 'text/html' } })
  assert.equal(statusCode, 200, `${url}: ${body.slice(0, 300)}`)
  assert.doesNotMatch(body, CONTROL_CHARACTERS, url)
  return body
}

const first = ({ questions }: OpenQuiz): Record<string, string> => ({
  [questions[0]?.id ?? '']: questions[0]?.answers[1]?.id ?? '',
})

/** Sends a reply to one question as the page does. Returns the run if its visitor was thanked. */
export const submitReply = async (
  app: TestApp,
  quiz: OpenQuiz,
  { rank, text }: { rank: number; text: string },
): Promise<ThankedRun | undefined> => {
  const { id: question_id, type } = quiz.questions[rank] as Question
  const participant_uuid = randomUUID()
  const reply = type === 'multiple_choice' ? OTHER + text : text
  const answered = await app.raw({
    method: 'POST',
    url: `${BASE_PATH}/quizzes/${quiz.id}/submit`,
    body: {
      participant_uuid,
      run_secret: RUN_SECRET,
      answers: { ...first(quiz), [question_id]: reply },
      parameters: { utm_source: text.slice(0, 60) },
    },
  })
  if (readRefusal(answered, `a reply of type ${type}`)) return undefined
  const { documents } = answered.json<Pick<ThankedRun, 'documents'>>()
  return { participant_uuid, rank, text, way: `a reply of type ${type}`, documents }
}

/** Words of the message above a form that was refused. */
const formRefusal = (html: string): string | undefined =>
  /role="alert"[^>]*>(?:<[^>]+>)*([^<]+)/.exec(html)?.[1]

/** Sends a reply to one question as a browser without scripts does. Returns the run if its visitor was thanked. */
const postReply = async (
  app: TestApp,
  quiz: OpenQuiz,
  { rank, text }: { rank: number; text: string },
): Promise<ThankedRun | undefined> => {
  const { id, type } = quiz.questions[rank] as Question
  const way = `the form with a reply of type ${type}`
  const fields: Record<string, string> =
    type === 'multiple_choice'
      ? { ...first(quiz), [id]: OTHER, [otherField(id)]: text }
      : { ...first(quiz), [id]: text }
  const utm_source = encodeURIComponent(text.toWellFormed().slice(0, 30).toWellFormed())
  const headers = { referer: `${app.config.public_url}/q/${quiz.id}?utm_source=${utm_source}` }
  let url = `/q/${quiz.id}?page=1&version=1&step=0`
  for (;;) {
    const answered = await postForm(app.app, { url, fields, headers })
    const { statusCode, body } = answered
    assert.ok(statusCode < 500, `${way}: ${statusCode} ${body.slice(0, 300)}`)
    assert.doesNotMatch(body, CONTROL_CHARACTERS, way)
    if (statusCode === 307) {
      url = String(answered.headers.location)
      continue
    }
    if (statusCode >= 400) {
      assertFrench(formRefusal(body), `${way}: ${body.slice(0, 300)}`)
      return undefined
    }
    assert.equal(statusCode, 303, `${way}: ${body.slice(0, 300)}`)
    const end = String(answered.headers.location)
    await openPage(app, end)
    const participant_uuid = new URL(end, app.config.public_url).searchParams.get('participant')
    assert.ok(participant_uuid, end)
    return { participant_uuid, rank, text: text.replaceAll('\0', '').toWellFormed(), way }
  }
}

/** Replies with a text to each question in turn, by the page and by the form. Returns the runs that were thanked. */
export const replyWithTexts = async (
  app: TestApp,
  quiz: OpenQuiz,
  make: (length: number) => string,
): Promise<ThankedRun[]> => {
  const runs: ThankedRun[] = []
  for (const [rank, question] of quiz.questions.entries()) {
    if (question.type === 'multiple_choice' && !question.has_other) continue
    const text = make(question.type === 'textarea' ? 300 : 60)
    for (const send of [submitReply, postReply]) {
      const run = await send(app, quiz, { rank, text })
      if (run) runs.push(run)
    }
  }
  return runs
}

/** Returns the words of a stored reply with this text. A blank text is no reply. */
export const storedText = (text: string, { type }: Pick<Question, 'type'>): string => {
  if (isBlankText(text)) return ''
  const stored = normalizeText(withoutControls(text)).trim()
  return type === 'multiple_choice' ? otherAnswerText(stored) : stored
}
