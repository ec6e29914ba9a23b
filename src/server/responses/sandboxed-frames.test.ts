import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client, access_token } = await app.signUp()
const quiz = await publishedScoreQuiz(client)

const url = `/api/v1/quizzes/${quiz.id}/submit`
const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@b.fr' }
const SANDBOXED = { origin: 'null', 'sec-fetch-site': 'cross-site' }
const preflight = (address: string, origin: string) =>
  app.raw({
    method: 'OPTIONS',
    url: address,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })

describe('a quiz in a frame without `allow-same-origin`', () => {
  test('the submission is allowed beforehand, is stored, and its answer can be read', async () => {
    const allowed = await preflight(url, 'null')
    assert.equal(allowed.statusCode, 204)
    assert.equal(allowed.headers['access-control-allow-origin'], 'null')
    assert.equal(allowed.headers['access-control-allow-methods'], 'POST')
    assert.equal(allowed.headers['access-control-allow-headers'], 'content-type')
    assert.equal(allowed.headers['access-control-allow-credentials'], undefined)
    const stored = await app.raw({
      method: 'POST',
      url,
      body: { answers },
      headers: { 'content-type': 'application/json', ...SANDBOXED },
    })
    assert.equal(stored.statusCode, 201)
    assert.equal(stored.headers['access-control-allow-origin'], 'null')
    assert.equal((await client.statistics.responses({ id: quiz.id })).details.length, 1)
  })

  test('the reason of a refusal can be read too', async () => {
    const refused = await app.raw({
      method: 'POST',
      url,
      body: { answers: {} },
      headers: { 'content-type': 'application/json', ...SANDBOXED },
    })
    assert.equal(refused.statusCode, 422)
    assert.equal(refused.headers['access-control-allow-origin'], 'null')
    assert.equal(refused.headers['access-control-expose-headers'], 'retry-after')
  })
})

describe('other sites and other calls', () => {
  test('another site may not read the answer to a submission', async () => {
    for (const origin of ['https://ailleurs.example', 'null.example', '']) {
      const asked = await preflight(url, origin)
      assert.equal(asked.headers['access-control-allow-origin'], undefined, origin)
      assert.equal(asked.statusCode, 405, origin)
      const sent = await app.raw({
        method: 'POST',
        url,
        body: { answers },
        headers: { 'content-type': 'application/json', origin },
      })
      assert.equal(sent.headers['access-control-allow-origin'], undefined, origin)
    }
  })

  test('no call of a creator is open to a page without an origin', async () => {
    for (const address of ['/api/v1/quizzes', `/api/v1/quizzes/${quiz.id}/publish`]) {
      const asked = await preflight(address, 'null')
      assert.equal(asked.headers['access-control-allow-origin'], undefined, address)
      const headers = { authorization: `Bearer ${access_token}`, ...SANDBOXED }
      const sent = await app.raw({ method: 'POST', url: address, headers })
      assert.equal(sent.headers['access-control-allow-origin'], undefined, address)
    }
  })
})
