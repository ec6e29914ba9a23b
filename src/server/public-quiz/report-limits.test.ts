import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'

// Runs in test:all, because it fills a disk or a quota.

const app = await createBuiltApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' })
after(() => app.close())
// The clock is mocked, because limits refill with time and documents take long on a slow machine.
mock.timers.enable({ apis: ['Date'], now: Date.now() })

const { client } = await app.signUp()
const quiz = await publishReportQuiz(client)
const { documents } = await submitToReportQuiz(app.client, quiz)
const { report = '' } = documents ?? {}

const get = (url: string, from: string) =>
  app.raw({ method: 'GET', url, headers: { 'x-forwarded-for': from } })
const submitFrom = (from: string) =>
  app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    headers: { 'x-forwarded-for': from },
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[1], [quiz.open_id]: 'camille@exemple.fr' },
    },
  })

describe('the limit of reports and checks of certificates', () => {
  const [one, two] = ['203.0.113.1', '203.0.113.2']

  test('beyond 60 a minute an address gets a page that says so, and can still submit', async () => {
    const forged = Array.from({ length: 59 }, () => get('/attestation/7K3M-9XQ2-0V4T-HB8C', one))
    for (const { statusCode } of await Promise.all(forged)) assert.equal(statusCode, 404)
    assert.equal((await get(report, one)).statusCode, 200)

    for (const url of [
      report,
      report.replace('/rapport/', '/attestation/'),
      '/attestation/x',
      '/attestation?numero=x',
    ]) {
      const { statusCode, headers, body } = await get(url, one)
      assert.equal(statusCode, 429)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
      assert.match(body, /<html lang="?fr"?/)
      assert.match(body, /<h1>Trop de requêtes<\/h1>/)
    }
    const { statusCode, body } = await submitFrom(one)
    assert.equal(statusCode, 201, body)
    assert.equal((await get(report, two)).statusCode, 200, 'another address is not concerned')
    mock.timers.tick(60_000)
    assert.equal((await get(report, one)).statusCode, 200, 'a minute later the address may again')
  })
})
