/**
 * Does the main job on a running server and prints each step: sign up, publish, open the page, submit, read statistics, write the
 * PDF documents, export. `node scripts/production/try-main-job.ts URL`; ends with an error at the first step that fails.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { clientOf, patientFetch, signUp } from '../http-client.ts'

const origin = new URL(process.argv[2] ?? 'http://localhost:3000').origin
const creator = clientOf(origin, await signUp(origin))
const visitor = clientOf(origin)

/** Reads an address and returns its bytes. Throws unless the answer is 200 with the content type. */
const read = async (path: string, type: RegExp): Promise<Buffer> => {
  const response = await patientFetch(new URL(path, origin).href, {})
  assert.equal(response.status, 200, `${path} answers ${response.status}`)
  assert.match(response.headers.get('content-type') ?? '', type)
  return Buffer.from(await response.arrayBuffer())
}

const quiz = await publishReportQuiz(creator)
console.log('signed up, created and published')
assert.match((await read(`/q/${quiz.id}`, /text\/html/)).toString(), /Votre agenda/)
assert.match((await read('/login', /text\/html/)).toString(), /<script/)
console.log('the page of visitors and the application of creators are served')

const email = `${randomUUID()}@exemple.fr`
const { result, documents } = await submitToReportQuiz(visitor, quiz, { email })
assert.ok(result, 'the submission has a result')
const { details } = await creator.statistics.responses({ id: quiz.id })
assert.deepEqual(
  details.map((participant) => participant.email),
  [email],
)
console.log(`a participant got « ${result.name} » and is in the statistics`)

for (const path of [documents?.report, documents?.certificate]) {
  const pdf = await read(path ?? '', /application\/pdf/)
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
}
console.log('the report and the certificate are written')

const { url } = await creator.exports.link({ id: quiz.id, body: { format: 'csv' } })
assert.ok((await read(url, /text\/csv/)).includes(email), 'the export has the participant')
console.log('the export has the participant')
