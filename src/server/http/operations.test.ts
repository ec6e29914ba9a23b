import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/test-app.ts'

const TOKEN = 'a token for the tests'
const app = await createTestApp({ METRICS_TOKEN: TOKEN })
after(() => app.close())

const far = { remoteAddress: '203.0.113.7' }

describe('what operators ask', () => {
  test('/healthz and /readyz', async () => {
    assert.deepEqual((await app.raw({ url: '/healthz' })).json(), { status: 'ok' })
    assert.deepEqual((await app.raw({ url: '/readyz' })).json(), { status: 'ready' })
  })

  test('/metrics is for this machine, or for who has the token', async () => {
    const near = await app.raw({ url: '/metrics' })
    assert.equal(near.statusCode, 200)
    assert.match(near.body, /^database_connections\{state="open"\} \d+$/m)
    assert.equal((await app.raw({ url: '/metrics', ...far })).statusCode, 404)
    for (const name of ['x-forwarded-for', 'forwarded']) {
      const headers = { [name]: '127.0.0.1' }
      assert.equal((await app.raw({ url: '/metrics', headers })).statusCode, 404, name)
    }
    const wrong = { authorization: 'Bearer another token' }
    assert.equal((await app.raw({ url: '/metrics', ...far, headers: wrong })).statusCode, 404)
    const right = { authorization: `Bearer ${TOKEN}` }
    assert.equal((await app.raw({ url: '/metrics', ...far, headers: right })).statusCode, 200)
  })
})

test('without its database the server says so, and when to come back', async () => {
  const lost = await createTestApp()
  await lost.pool.end()
  const ready = await lost.raw({ url: '/readyz' })
  assert.equal(ready.statusCode, 503)
  assert.equal(ready.headers['retry-after'], '2')
  const { access_token } = await app.signUp()
  const headers = { authorization: `Bearer ${access_token}` }
  const call = await lost.raw({
    method: 'POST',
    url: '/api/v1/quizzes/00000000-0000-4000-8000-000000000000/submit',
    body: { answers: {} },
    headers,
  })
  assert.equal(call.statusCode, 503)
  assert.deepEqual(call.json(), {
    error: 'Le service est momentanément indisponible, réessayez dans un instant',
    code: 'unavailable',
  })
  await lost.app.close()
})
