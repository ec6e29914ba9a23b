import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLog } from '#server/runtime/log.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const lines: Record<string, unknown>[] = []
const destination = new Writable({
  write: (chunk, _encoding, done) => {
    lines.push(JSON.parse(String(chunk)))
    done()
  },
})
const log = createLog({ log_level: 'info' }, { destination })
const { player_folder, remove } = buildPlayer()
const app = await createTestApp(
  { LOG_REQUESTS: 'on', TRUST_PROXY: 'true' },
  { log, has_pages: true, folders: { player: player_folder, dashboard: 'dist/dashboard' } },
)
after(async () => {
  await app.close()
  remove()
})
const linesOf = (id: unknown) => lines.filter(({ request_id }) => request_id === id)

test('a call has one log line with its route and the id of its response, but without its address', async () => {
  const reply = await app.raw({ url: '/auth/v1/verify?token=un-secret&type=signup' })
  const id = reply.headers['x-request-id']
  // The line is written after the response was sent.
  while (linesOf(id).length === 0) await setImmediate()
  const [line, ...others] = linesOf(id)
  assert.deepEqual(others, [])
  const { method, route, status, level, time } = line ?? {}
  assert.deepEqual(
    [method, route, status, level],
    ['GET', '/auth/v1/verify', reply.statusCode, 'info'],
  )
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.ok(!JSON.stringify(line).includes('un-secret'))
})

test('a page is logged and counted whether its route or the cache answers', async () => {
  const { client } = await app.signUp()
  const { id } = await publishedScoreQuiz(client)
  const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
  for (const request_id of ['first-visit', 'second-visit', 'third-visit']) {
    const reply = await fetch(`${origin}/q/${id}`, { headers: { 'x-request-id': request_id } })
    assert.equal(reply.status, 200)
    await reply.text()
    while (linesOf(request_id).length === 0) await setImmediate()
    const [{ method, route, status, ms } = {}, ...others] = linesOf(request_id)
    assert.deepEqual([method, route, status, others], ['GET', '/q/:id', 200, []])
    assert.equal(typeof ms, 'number')
  }
  const { body } = await app.raw({ url: '/metrics' })
  assert.match(body, /_count\{method="GET",route="\/q\/:id",status="200"\} 3\n/)
})

test('the request id of a proxy is kept if it is well-formed', async () => {
  const ask = (id: string) => app.raw({ url: '/healthz', headers: { 'x-request-id': id } })
  assert.equal((await ask('abc-12345')).headers['x-request-id'], 'abc-12345')
  assert.notEqual((await ask('a b')).headers['x-request-id'], 'a b')
})

test('rows that PostgreSQL errors quote are not logged', async () => {
  const email = 'secret@example.org'
  await app.signUp(email)
  const error = await app.pool
    .query('insert into users (id, email) select gen_random_uuid(), email from users limit 1')
    .catch((caught: unknown) => caught)
  log.error({ err: new Error('above', { cause: error }) }, 'refused twice')
  log.error({ err: error }, 'refused')
  const refused = lines.filter(({ level }) => level === 'error')
  assert.equal(refused.length, 2)
  assert.ok(!JSON.stringify(refused).includes(email), JSON.stringify(refused))
})
