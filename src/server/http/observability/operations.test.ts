import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { connectAccount } from '#server/testing/app/store-connections.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const TOKEN = 'a token for the tests'
const app = await createTestApp({ METRICS_TOKEN: TOKEN })
after(() => app.close())

const far = { remoteAddress: '203.0.113.7' }

describe('the routes of operators', () => {
  test('/healthz and /readyz report a running server', async () => {
    assert.deepEqual((await app.raw({ url: '/healthz' })).json(), { status: 'ok' })
    assert.deepEqual((await app.raw({ url: '/readyz' })).json(), { status: 'ready' })
  })

  test('/metrics describes the process in the format of Prometheus', async () => {
    const { client } = await app.signUp()
    const quiz = await publishedScoreQuiz(client)
    await app.client.publicQuiz.submit({
      id: quiz.id,
      body: { answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'x@y.fr' } },
    })
    const { body, headers } = await app.raw({ url: '/metrics' })
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    const NAME = '[a-z][a-z0-9_]*'
    const LABEL = '[a-z]+="[^"\n]*"'
    const line = new RegExp(
      `^(|# HELP ${NAME} .+|# TYPE ${NAME} (counter|gauge|histogram)|${NAME}(\\{${LABEL}(,${LABEL})*\\})? ([\\d.e+-]+|Nan))$`,
    )
    for (const one of body.trimEnd().split('\n')) assert.match(one, line)
    const posted = 'method="POST",route="/api/v1/quizzes/:id/submit",status="201"'
    for (const wanted of [
      `http_request_duration_seconds_bucket{${posted},le="+Inf"} 1`,
      `http_request_duration_seconds_count{${posted}} 1`,
      'responses_stored_total 1',
      'submissions_underway 0',
      'database_up 1',
      'database_notices_up 1',
      'page_cache_pages 0',
    ])
      assert.ok(body.split('\n').includes(wanted), `${wanted} in ${body}`)
    for (const name of [
      'database_connections',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ])
      assert.match(body, new RegExp(`^${name}[ {]`, 'm'))
  })

  test('/metrics counts waiting and refused erasures by tool', async () => {
    const { user_id } = await app.signUp()
    const connection_id = await connectAccount(app.db, { user_id }, 'brevo')
    const due = sql<string>`now()`
    for (const status of ['pending', 'pending', 'refused', 'done'] as const)
      await app.db
        .insertInto('erasures')
        .values({
          id: randomUUID(),
          user_id,
          connection_id,
          provider: 'brevo',
          kind: 'delete',
          status,
          quiz_ids: [],
          give_up_at: due,
          ...(status === 'pending' && { next_attempt_at: due, sealed_person: Buffer.alloc(1) }),
        })
        .execute()
    const { body } = await app.raw({ url: '/metrics' })
    assert.deepEqual(body.match(/^outbox_erasures.*$/gm), [
      'outbox_erasures{provider="brevo",status="pending"} 2',
      'outbox_erasures{provider="brevo",status="refused"} 1',
    ])
  })

  test('/metrics is open to this machine and to callers with the token', async () => {
    const near = await app.raw({ url: '/metrics' })
    assert.equal(near.statusCode, 200)
    assert.match(near.body, /^database_connections\{state="open"\} \d+$/m)
    assert.equal((await app.raw({ url: '/metrics', ...far })).statusCode, 404)
    for (const name of ['x-forwarded-for', 'forwarded']) {
      const headers = { [name]: '127.0.0.1' }
      assert.equal((await app.raw({ url: '/metrics', headers })).statusCode, 404, name)
    }
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
      assert.equal((await app.raw({ url: '/metrics', headers: { host } })).statusCode, 200, host)
    const wrong = { authorization: 'Bearer another token' }
    assert.equal((await app.raw({ url: '/metrics', ...far, headers: wrong })).statusCode, 404)
    const right = { authorization: `Bearer ${TOKEN}` }
    assert.equal((await app.raw({ url: '/metrics', ...far, headers: right })).statusCode, 200)
  })
})

test('/metrics without a token answers only requests for this machine’s own names', async () => {
  const authorization = `Bearer ${TOKEN}`
  for (const host of [
    'rebound.example',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    'x y',
  ]) {
    assert.equal((await app.raw({ url: '/metrics', headers: { host } })).statusCode, 404, host)
    const { statusCode } = await app.raw({ url: '/metrics', headers: { host, authorization } })
    assert.equal(statusCode, 200, `${host} with the token`)
  }
})

test('/metrics of a public installation always requires the token', async () => {
  const config = { PUBLIC_URL: 'https://quiz.example', METRICS_TOKEN: TOKEN }
  const t = await createTestApp(config)
  assert.equal((await t.raw({ url: '/metrics' })).statusCode, 404)
  const headers = { authorization: `Bearer ${TOKEN}` }
  assert.equal((await t.raw({ url: '/metrics', headers })).statusCode, 200)
  await t.close()
})

test('a draining server fails /readyz, answers calls and closes connections', async () => {
  const t = await createTestApp()
  const before = await t.raw({ url: '/healthz' })
  assert.notEqual(before.headers.connection, 'close')
  const drained = t.app.drain(0)
  assert.equal((await t.raw({ url: '/readyz' })).statusCode, 503)
  const after = await t.raw({ url: '/healthz' })
  assert.deepEqual([after.statusCode, after.headers.connection], [200, 'close'])
  await drained
  await t.close()
})

test('a call on an open connection is answered while the server closes, then the connection ends', async () => {
  const t = await createTestApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const address = t.app.server.address()
  assert.ok(address !== null && typeof address === 'object')
  const socket = connect({ port: address.port, host: '127.0.0.1' })
  const begun = once(t.app.server, 'request')
  socket.write(
    'POST /auth/v1/signup HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
  )
  await begun
  const answers = text(socket)
  const closed = t.app.close()
  while (t.app.server.listening) await new Promise((resolve) => setImmediate(resolve))
  socket.write('}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, second] = (await answers).split(/(?=HTTP\/1\.1 )/)
  assert.match(second ?? '', /^HTTP\/1\.1 200 OK\r\nconnection: close\r\n.*\{"status":"ok"\}$/is)
  await closed
  await t.close()
})

test('a server without its database answers 503 with Retry-After', async () => {
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
