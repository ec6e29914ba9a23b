import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { toApiError } from './errors.ts'
import { shedLoad } from './loop-delay.ts'

const loop = { delay_ms: 0, is_watched: true }
const app = Fastify()
app.setErrorHandler((error, _request, reply) => {
  const { status, headers } = toApiError(error)
  reply.code(status).headers(headers).send({})
})
shedLoad(app, {
  delayOf: () => loop.delay_ms,
  stop: () => {
    loop.is_watched = false
  },
})
app.get('/', async () => ({}))
after(() => app.close())

const ask = async () => {
  const { statusCode, headers } = await app.inject({ url: '/' })
  return [statusCode, headers['retry-after']]
}

test('while the event loop is over a second late, calls are told to come back', async () => {
  assert.deepEqual(await ask(), [200, undefined])
  loop.delay_ms = 1_001
  assert.deepEqual(await ask(), [503, '2'])
  loop.delay_ms = 999
  assert.deepEqual(await ask(), [200, undefined])
})

test('it is measured no more once the server is closed', async () => {
  await app.close()
  assert.equal(loop.is_watched, false)
})
