/**
 * Does the main job on a running server and prints each step: sign up, publish, open the page, submit, read statistics, write the
 * PDF documents, export. `node scripts/production/try-main-job.ts URL`; ends with an error at the first step that fails. `--keep FILE`
 * writes what was made into a file, and `--check FILE` reads it again instead of doing the job, for example after a restart.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Client } from '#contract/client/client.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { clientOf, patientFetch, signUp } from '../http-client.ts'

/** Results of the main job that stay on a server. `report` is the path of the participant's PDF. */
type Kept = { access_token: string; quiz_id: string; email: string; report: string }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, check: { type: 'string' } },
})
const origin = new URL(positionals[0] ?? 'http://localhost:3000').origin

/** Reads an address and returns its bytes. Throws unless the answer is 200 with the content type. */
const read = async (path: string, type: RegExp): Promise<Buffer> => {
  const response = await patientFetch(new URL(path, origin).href, {})
  assert.equal(response.status, 200, `${path} answers ${response.status}`)
  assert.match(response.headers.get('content-type') ?? '', type)
  return Buffer.from(await response.arrayBuffer())
}

const readPdf = async (path: string): Promise<void> => {
  const pdf = await read(path, /application\/pdf/)
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
}

const readPage = async (quiz_id: string): Promise<void> => {
  assert.match((await read(`/q/${quiz_id}`, /text\/html/)).toString(), /Votre agenda/)
}

const listAddresses = async (creator: Client, id: string): Promise<(string | null)[]> =>
  (await creator.statistics.responses({ id })).details.map(({ email }) => email)

const doMainJob = async (): Promise<Kept> => {
  const access_token = await signUp(origin)
  const creator = clientOf(origin, access_token)
  const quiz = await publishReportQuiz(creator)
  console.log('signed up, created and published')
  await readPage(quiz.id)
  assert.match((await read('/login', /text\/html/)).toString(), /<script/)
  console.log('the page of visitors and the application of creators are served')

  const email = `${randomUUID()}@exemple.fr`
  const { result, documents } = await submitToReportQuiz(clientOf(origin), quiz, { email })
  assert.ok(result, 'the submission has a result')
  assert.deepEqual(await listAddresses(creator, quiz.id), [email])
  console.log(`a participant got « ${result.name} » and is in the statistics`)

  const { report = '', certificate = '' } = documents ?? {}
  await readPdf(report)
  await readPdf(certificate)
  console.log('the report and the certificate are written')

  const { url } = await creator.exports.link({ id: quiz.id, body: { format: 'csv' } })
  assert.ok((await read(url, /text\/csv/)).includes(email), 'the export has the participant')
  console.log('the export has the participant')
  return { access_token, quiz_id: quiz.id, email, report }
}

const checkKept = async ({ access_token, quiz_id, email, report }: Kept): Promise<void> => {
  await readPage(quiz_id)
  assert.deepEqual(await listAddresses(clientOf(origin, access_token), quiz_id), [email])
  await readPdf(report)
  console.log('the page, the participant and the report are still there')
}

if (values.check) await checkKept(JSON.parse(readFileSync(values.check, 'utf8')) as Kept)
else {
  const kept = await doMainJob()
  if (values.keep) writeFileSync(values.keep, JSON.stringify(kept))
}
