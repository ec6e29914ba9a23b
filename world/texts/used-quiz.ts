import assert from 'node:assert/strict'
import { isBlankText, withoutControls } from '#domain/common/text.ts'
import { cleanSenderName } from '#domain/mail-senders/sender-name.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { routeUrl } from '#server/http/edge/mount.ts'
import { contractCalls } from '#server/testing/app/contract-calls.ts'
import type { TestApp } from '#server/testing/app/test-app.ts'
import { fillRoute, type Person, requiredQuery } from '#server/testing/ownership/person.ts'
import { importQuizFile } from '#server/testing/quizzes/quiz-files.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createFileWithTexts, createPlainFile, listWords } from './every-text-quiz.ts'
import { readRefusal } from './problems.ts'
import { textsAt } from './put-text.ts'
import { type Row, sendTexts } from './send-texts.ts'
import {
  type OpenQuiz,
  openPage,
  replyWithTexts,
  storedText,
  submitReply,
  type ThankedRun,
} from './visitors.ts'

/** Creates a text of a shape with at most `length` UTF-16 units. */
type ShapeText = (length: number) => string

const authorized = ({ access_token }: Person) => ({ authorization: `Bearer ${access_token}` })

const importFile = async (app: TestApp, person: Person, file: Row): Promise<string | undefined> => {
  const { reply, refusal, sent } = await sendTexts('a quiz file', {
    input: file,
    valid: createPlainFile(),
    send: (input) => importQuizFile(app, person, JSON.stringify(input)),
  })
  if (refusal) return undefined
  const { id } = reply.json<{ quiz: { id: string } }>().quiz
  const stored = await person.client.quizFiles.write({ id })
  for (const path of listWords())
    assert.deepEqual(storedWords(stored, path), storedWords(sent, path), path)
  return id
}

/** Returns the texts at a path as they are stored, without white space around them, which some fields lose. */
const storedWords = (file: unknown, path: string): string[] =>
  textsAt(file, path)
    .map((text) =>
      path === 'quiz.sender_name'
        ? cleanSenderName(withoutControls(text))
        : withoutControls(text).trim(),
    )
    .filter((text) => !isBlankText(text))

/** Publishes a questionnaire. Returns false if the publication was refused, with its reasons in French. */
const publish = async (app: TestApp, person: Person, id: string): Promise<boolean> => {
  const url = `/api/v1/quizzes/${id}/publish`
  const reply = await app.raw({ method: 'POST', url, headers: authorized(person) })
  const refusal = readRefusal(reply, 'a publication')
  if (refusal) assert.ok(refusal.validation_errors?.length, 'a refused publication has reasons')
  return refusal === undefined
}

/**
 * Returns writers of texts of a shape: the shape alone, then behind a letter, because blank texts are not published. Then
 * insertable names are plain, because they have no braces.
 */
const writersOf = (make: ShapeText): ((path: string, rank: number) => string)[] => [
  // Labels and results need different names.
  (path, rank) => (rank > 0 && /label|name/.test(path) ? `${rank}` : '') + make(20),
  (path, rank) =>
    /\.label$|^dimensions\[\]\.name$/.test(path)
      ? `Nom ${rank}`
      : `É${rank} ${make(12)}`.toWellFormed().replaceAll('\0', ''),
]

/** Publishes a questionnaire with every kind of part, whose texts have one shape. Fails if no such text is published. */
const publishWithTexts = async (
  app: TestApp,
  person: Person,
  make: ShapeText,
): Promise<OpenQuiz> => {
  for (const writeText of writersOf(make)) {
    const id = await importFile(app, person, createFileWithTexts(writeText))
    if (id === undefined || !(await publish(app, person, id))) continue
    return { id, questions: (await person.client.questions.unified({ id })).questions }
  }
  assert.fail('no questionnaire with these texts can be published')
}

/** Fails unless each thanked run is stored with its reply. */
const assertStored = async (
  { client }: Person,
  { id, questions }: OpenQuiz,
  runs: readonly ThankedRun[],
): Promise<void> => {
  const { details } = await client.statistics.responses({ id, limit: '500' })
  const stored = new Map(details.map((participant) => [participant.participant_uuid, participant]))
  for (const { participant_uuid, rank, text, way } of runs) {
    const participant = stored.get(participant_uuid)
    assert.ok(participant, `${way}: thanked without being stored`)
    const reply = participant.answers[rank]?.answer_text
    assert.equal(reply, storedText(text, questions[rank] as Question), way)
  }
}

const EXPORTS = ['csv', 'csv_excel', 'xlsx', 'json'] as const

const downloadExports = async (app: TestApp, { client }: Person, id: string): Promise<void> => {
  for (const format of EXPORTS) {
    const { url } = await client.exports.link({ id, body: { format } })
    const { statusCode, body } = await app.raw({ url })
    assert.equal(statusCode, 200, `${format}: ${body.slice(0, 200)}`)
  }
}

/** Opens the page of a participant, and their report and certificate. A certificate may be refused because of its name. */
const openDocuments = async (app: TestApp, run: ThankedRun | undefined): Promise<void> => {
  const { own_page, report, certificate } = run?.documents ?? {}
  assert.ok(own_page && report && certificate, 'the run has documents')
  await openPage(app, own_page)
  assert.equal((await app.raw({ url: report })).statusCode, 200, 'report')
  const written = await app.raw({ url: certificate })
  const isRefused = written.statusCode === 422 && written.body.includes('Attestation non créée')
  assert.ok(written.statusCode === 200 || isRefused, `certificate ${written.statusCode}`)
}

const readCalls = contractCalls.filter(
  ([, { method, path }]) => method === 'GET' && path.includes('{id}'),
)

/** Fails unless every call that reads a questionnaire, its participants or its figures is answered with 200. */
export const readQuiz = async (
  app: TestApp,
  reader: Person,
  unread: readonly string[] = [],
): Promise<void> => {
  const found: string[] = []
  for (const [name, endpoint] of readCalls) {
    const route = `${endpoint.method} ${routeUrl(endpoint)}`
    const url = fillRoute(route, reader) + requiredQuery(route, reader)
    const reply = await app.raw({ url, headers: authorized(reader) })
    readRefusal(reply, name)
    if (reply.statusCode !== 200) found.push(name)
  }
  assert.deepEqual(found, unread)
}

const sampleOf = async ({ client }: Person, { id, questions }: OpenQuiz): Promise<SampleQuiz> => ({
  id,
  question_id: questions[0]?.id ?? '',
  open_id: questions[4]?.id ?? '',
  answer_ids: questions[0]?.answers.map((answer) => answer.id) ?? [],
  result_ids: (await client.results.list({ id })).results.map((result) => result.id),
})

/** Reply to the question for a first name. */
const PLAIN_REPLY = { rank: 4, text: 'Léa' }
/** The trial run and the campaign of the creator belong to another questionnaire. */
const UNREAD = [
  'trialRuns.get',
  ...['campaigns.get', 'campaigns.people', 'progress.get', 'evidence.get'],
]

/**
 * Publishes a questionnaire whose texts have one shape, sends replies of the shape, and reads everything that is made
 * from both: pages, statistics, lists, exports and documents.
 */
export const useQuizWithTexts = async (
  app: TestApp,
  person: Person,
  make: ShapeText,
): Promise<void> => {
  const quiz = await publishWithTexts(app, person, make)
  await openPage(app, `/q/${quiz.id}`)
  const runs = await replyWithTexts(app, quiz, make)
  await assertStored(person, quiz, runs)
  await downloadExports(app, person, quiz.id)
  // A run without a reply of this shape stands for shapes that the page refuses.
  const isNamed = ({ rank, documents }: ThankedRun) =>
    documents && quiz.questions[rank]?.contact_role
  const shown = runs.find(isNamed) ?? (await submitReply(app, quiz, PLAIN_REPLY))
  await openDocuments(app, shown)
  const participant_uuid = shown?.participant_uuid ?? ''
  await readQuiz(app, { ...person, quiz: await sampleOf(person, quiz), participant_uuid }, UNREAD)
}
