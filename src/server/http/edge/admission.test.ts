import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type AdmissionLimits, admitCalls } from './admission.ts'
import { toApiError } from './errors.ts'

const app = await createTestApp()
after(() => app.close())

const MANY = { in_all: 99, per_network: 99, per_creator: 99 }
const AMPLE: AdmissionLimits = {
  submissions: MANY,
  calls: MANY,
  body_bytes: { in_all: 1_000_000, per_network: 1_000_000 },
}

/**
 * Starts a server with these limits. Admitted calls wait until they are released; a proxy header names their network.
 */
const startServer = (limits: Partial<AdmissionLimits>) => {
  const server = Fastify({ trustProxy: true })
  let inside: (() => void)[] = []
  server.setErrorHandler((error, _request, reply) => {
    const { status, headers } = toApiError(error)
    reply.code(status).headers(headers).send()
  })
  const metrics = admitCalls(server, {
    limits: { ...AMPLE, ...limits },
    identify: async ({ headers }) => ({ id: String(headers.from), session_id: undefined }),
    cutOff: (socket) => socket.end('HTTP/1.1 503 Full\r\n\r\n'),
  })
  const wait = async () => {
    await new Promise<void>((resolve) => inside.push(resolve))
    return 'done'
  }
  server.post('/submit', { config: { access: 'anyone', limits: 'submit' } }, wait)
  server.post('/save', { config: { access: 'creator' } }, wait)
  server.get('/healthz', { config: { is_for_operators: true } }, async () => 'ok')
  const post = async (url: string, headers: Record<string, string> = {}, body = 'x') => {
    const type = { 'content-type': 'text/plain' }
    const answer = await server.inject({
      method: 'POST',
      url,
      headers: { ...type, ...headers },
      body,
    })
    return [answer.statusCode, answer.headers['retry-after']]
  }
  /** Releases this number of calls once all are admitted. */
  const letGo = async (count: number) => {
    while (inside.length < count) await setImmediate()
    for (const leave of inside) leave()
    inside = []
  }
  /** Connects and sends the head of a request that announces a body of this length. */
  const begin = async (url: string, size: number): Promise<Socket> => {
    if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.server.address() as AddressInfo
    const arrived = once(server.server, 'request')
    const visitor = connect(port, '127.0.0.1')
    visitor.on('error', () => undefined)
    const head = `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain`
    visitor.write(`${head}\r\ncontent-length: ${size}\r\n\r\n`)
    await arrived
    return visitor
  }
  const gauge = (name: string) => {
    const samples = metrics.find((metric) => metric.name === name)?.read()
    return Array.isArray(samples) ? samples[0].value : undefined
  }
  after(async () => {
    server.server.closeAllConnections()
    await server.close()
  })
  return { server, post, letGo, begin, gauge }
}
const DONE = [200, undefined]
const REFUSED = [503, '2']
const LATER = [503, '1']
const from = (network: string, creator = 'camille') => ({
  'x-forwarded-for': network,
  from: creator,
})

test('a submission beyond the limit is refused until a slot is free', async () => {
  const { post, letGo } = startServer({ submissions: { ...MANY, in_all: 2 } })
  for (let round = 0; round < 3; round++) {
    const admitted = [post('/submit'), post('/submit')]
    assert.deepEqual(await post('/submit'), REFUSED)
    const other = post('/save')
    await letGo(3)
    assert.deepEqual(await Promise.all([...admitted, other]), [DONE, DONE, DONE])
  }
})

test('one network or one creator gets only a share of the slots', async () => {
  const { post, letGo } = startServer({ calls: { in_all: 9, per_network: 2, per_creator: 3 } })
  const admitted = [post('/save', from('10.0.0.1')), post('/save', from('10.0.0.1'))]
  assert.deepEqual(await post('/save', from('10.0.0.1')), LATER)
  admitted.push(post('/save', from('10.0.0.2')))
  assert.deepEqual(await post('/save', from('10.0.0.3')), LATER, 'the fourth call of the creator')
  admitted.push(post('/save', from('10.0.0.3', 'ada')))
  await letGo(4)
  assert.deepEqual(await Promise.all(admitted), [DONE, DONE, DONE, DONE])
})

test('a call whose body is still arriving holds no slot', async () => {
  const one = { in_all: 1, per_network: 1, per_creator: 1 }
  const { post, letGo, begin, gauge } = startServer({ submissions: one, calls: one })
  for (const url of ['/submit', '/save', '/submit', '/save']) (await begin(url, 9)).write('x')
  while (gauge('bodies_underway_bytes') !== 4) await setImmediate()
  for (const url of ['/submit', '/save']) {
    const admitted = post(url)
    await letGo(1)
    assert.deepEqual(await admitted, DONE, url)
  }
})

test('the health check is answered even if every slot is taken', async () => {
  const { server, post, letGo } = startServer({ calls: { ...MANY, in_all: 1 } })
  const admitted = post('/save')
  assert.deepEqual(await post('/save'), LATER)
  assert.equal((await server.inject({ url: '/healthz' })).statusCode, 200)
  await letGo(1)
  assert.deepEqual(await admitted, DONE)
})

test('a connection is closed if its body exceeds the bytes of its network', async () => {
  const { begin, gauge } = startServer({ body_bytes: { in_all: 9_000, per_network: 5_000 } })
  const first = await begin('/submit', 100_000)
  first.write('x'.repeat(3_000))
  while (gauge('bodies_underway_bytes') !== 3_000) await setImmediate()
  const second = await begin('/submit', 100_000)
  const answer = text(second)
  second.write('x'.repeat(3_000))
  assert.match(await answer, /^HTTP\/1\.1 503/)
  while (gauge('bodies_underway_bytes') !== 3_000) await setImmediate()
  first.destroy()
  while (gauge('bodies_underway_bytes') !== 0) await setImmediate()
})

test('an aborted call releases its slot and its bytes', async () => {
  const { letGo, begin, gauge } = startServer({})
  const visitor = await begin('/submit', 3)
  visitor.write('abc')
  while (gauge('submissions_underway') !== 1) await setImmediate()
  visitor.destroy()
  while (gauge('submissions_underway') !== 0) await setImmediate()
  assert.equal(gauge('bodies_underway_bytes'), 0)
  await letGo(1)
  assert.equal(gauge('submissions_underway'), 0)
})

const countStored = async (quiz_id: string): Promise<number | undefined> => {
  const counted = await app.db
    .selectFrom('quiz_versions')
    .select('nb_responses')
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirst()
  return counted?.nb_responses
}

test('while the database is stalled, submissions wait up to the limit and others are told to retry', async () => {
  const { client } = await app.signUp()
  const quiz = await publishedScoreQuiz(client)
  await using held = await openTransaction(app.pool, {
    text: 'select from quiz_versions where quiz_id = $1 for update',
    values: [quiz.id],
  })
  const body = {
    version: 1,
    answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: 'camille@exemple.fr' },
  }
  const submit = async () => {
    const url = `/api/v1/quizzes/${quiz.id}/submit`
    const { statusCode, headers } = await app.raw({ method: 'POST', url, body })
    return [statusCode, headers['retry-after']]
  }
  let refused = 0
  let tellAll = () => {}
  const allRefused = new Promise<void>((resolve) => {
    tellAll = resolve
  })
  const sent = Array.from({ length: 2_100 }, async () => {
    const answer = await submit()
    if (answer[0] === 503 && ++refused === 100) tellAll()
    return answer
  })
  await allRefused
  assert.equal(await countStored(quiz.id), 0)
  await held.commit()
  const answers = await Promise.all(sent)
  const stored = answers.filter(([status]) => status === 201)
  const turned_away = answers.filter(([status]) => status !== 201)
  assert.ok(stored.length > 0 && stored.length <= 2_000, `${stored.length}`)
  assert.deepEqual(turned_away, Array(2_100 - stored.length).fill(REFUSED))
  assert.equal(await countStored(quiz.id), stored.length)
})
