import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { shedLoad } from './admission.ts'
import { toApiError } from './errors.ts'

const loop = { delay_ms: 0, is_watched: true }
const app = Fastify()
app.setErrorHandler((error, _request, reply) => {
  const { status, headers } = toApiError(error)
  reply.code(status).headers(headers).send({})
})
const lines: unknown[][] = []
const log = { warn: (...line: unknown[]) => lines.push(line) }
shedLoad(app, log, 1_000, {
  delayOf: () => loop.delay_ms,
  stop: () => {
    loop.is_watched = false
  },
})
app.get('/', async () => ({}))
app.get('/healthz', { config: { is_for_operators: true } }, async () => ({}))
after(() => app.close())

const ask = async () => {
  const { statusCode, headers } = await app.inject({ url: '/' })
  return [statusCode, headers['retry-after']]
}

test('calls are refused with Retry-After while the event loop is over a second late', async () => {
  assert.deepEqual(await ask(), [200, undefined])
  loop.delay_ms = 1_001
  assert.deepEqual(await ask(), [503, '2'])
  loop.delay_ms = 999
  assert.deepEqual(await ask(), [200, undefined])
})

test('an overloaded server answers operators and logs one line a second about refused calls', async () => {
  loop.delay_ms = 1_001
  assert.equal((await app.inject({ url: '/healthz' })).statusCode, 200)
  lines.length = 0
  for (let call = 0; call < 100; call++) await ask()
  const told = () =>
    lines.reduce((sum, [fields]) => sum + (fields as { nb_refused: number }).nb_refused, 0)
  while (told() < 100) await setImmediate()
  assert.ok(lines.length <= 3, `${lines.length} lines`)
})

test('the measurement of the event loop stops when the server closes', async () => {
  await app.close()
  assert.equal(loop.is_watched, false)
})
