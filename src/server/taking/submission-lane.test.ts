import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { createDoorkeeper } from '#server/http/admission.ts'
import { createFastLane } from '#server/http/fast-lane.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'
import { createSnapshots } from './snapshots.ts'
import { createSubmissionLane } from './submission-lane.ts'
import { createSubmissions } from './submissions.ts'

const app = await createTestApp()
const { client } = await app.signUp()
const quiz = await publishedScoreQuiz(client)
const draft = await readyScoreQuiz(client)

/** What the test decides of the lane's limits. */
const limits = { wait: 0, isDrowning: false }
const door = createDoorkeeper({ calls: 100, bytes: 60_100 })
const lane = createFastLane()
const server = Fastify({ serverFactory: (routes) => lane.createServer(routes, {}) })
const LEFT = { left: 'to the routes' }
server.post('*', async (_request, reply) => reply.code(418).send(LEFT))
lane.openPosts(
  createSubmissionLane({
    snapshots: createSnapshots(app.db),
    submissions: createSubmissions(app.pool),
    door,
    isDrowning: () => limits.isDrowning,
    submitWait: () => limits.wait,
    config: app.config,
    log: server.log,
  }),
)
const origin = await server.listen({ port: 0, host: '127.0.0.1' })
after(async () => {
  await server.close()
  await app.close()
})

const nbUnderway = (): number => door.gauge()[0]?.samples[0]?.value ?? 0

const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'Lyon' }
const participant_uuid = randomUUID()
await client.taking.submit({ id: quiz.id, body: { answers, participant_uuid } })

type Sent = { id?: string; payload: string; headers?: Record<string, string> }
const sent = ({ id = quiz.id, payload, headers = {} }: Sent) => ({
  path: `/api/v1/quizzes/${id}/submit`,
  payload,
  headers: { 'content-type': 'application/json', ...headers },
})
/** Headers but those that every answer has its own of. */
const kept = (headers: Iterable<[string, unknown]>) =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => !/^(?:date|connection|keep-alive|x-request-id)$/.test(name))
      .map(([name, value]) => [name, String(value)]),
  )
const byRoute = async (one: Sent) => {
  const { path, ...more } = sent(one)
  const reply = await app.raw({ method: 'POST', url: path, ...more })
  const headers = kept(Object.entries(reply.headers))
  return { status: reply.statusCode, headers, body: reply.json() as unknown }
}
const byLane = async (one: Sent) => {
  const { path, payload, headers } = sent(one)
  const reply = await fetch(origin + path, { method: 'POST', headers, body: payload })
  const body: unknown = await reply.json()
  return {
    status: reply.status,
    headers: kept(reply.headers),
    body,
    id: reply.headers.get('x-request-id'),
  }
}

describe('a submission is answered at once as the route answers it', () => {
  const text = (body: object) => JSON.stringify(body)
  const cases: [string, number, Sent][] = [
    ['of somebody who is there', 200, { payload: text({ answers, participant_uuid }) }],
    ['without an answer', 422, { payload: text({ answers: {} }) }],
    ['of a stranger question', 422, { payload: text({ answers: { [randomUUID()]: 'x' } }) }],
    ['without answers at all', 422, { payload: text({}) }],
    ['that is no JSON', 400, { payload: '{"answers":' }],
    ['that nests too deep', 400, { payload: `{"answers":${'['.repeat(20)}${']'.repeat(20)}}` }],
    [
      'with a text that nothing can keep',
      422,
      { payload: `{"answers":{"${quiz.open_id}":"a\\u0000"}}` },
    ],
    ['with a key that is more than a field', 400, { payload: '{"__proto__":{},"answers":{}}' }],
    ['to a quiz that is not published', 403, { id: draft.id, payload: text({ answers: {} }) }],
    ['to no quiz', 404, { id: randomUUID(), payload: text({ answers: {} }) }],
  ]
  for (const [what, status, one] of cases)
    test(`${what}: ${status}`, async () => {
      const { id, ...answer } = await byLane(one)
      assert.equal(answer.status, status)
      assert.deepEqual(answer, await byRoute(one))
      assert.match(id ?? '', /^[\w-]{8,}$/)
    })

  test('of somebody new: 201, stored', async () => {
    const mine = { answers, participant_uuid: randomUUID() }
    const other = { answers, participant_uuid: randomUUID() }
    const { id: _, ...answer } = await byLane({ payload: text(mine) })
    const routed = await byRoute({ payload: text(other) })
    assert.equal(answer.status, 201)
    assert.deepEqual(answer.headers, routed.headers)
    assert.deepEqual(answer.body, {
      ...(routed.body as object),
      participant_uuid: mine.participant_uuid,
    })
    const found = await client.participants.explain({
      id: quiz.id,
      participantId: mine.participant_uuid,
    })
    assert.ok(found)
  })
})

describe('a submission out of the ordinary is left to the route', () => {
  const payload = JSON.stringify({ answers, participant_uuid })
  const cases: [string, Sent][] = [
    ['no JSON by its type', { payload, headers: { 'content-type': 'text/plain' } }],
    [
      'another charset',
      { payload, headers: { 'content-type': 'application/json; charset=latin1' } },
    ],
    ['compressed', { payload, headers: { 'content-encoding': 'gzip' } }],
    ['longer than any quiz needs', { payload: payload + ' '.repeat(66_000) }],
    ['an address in capitals', { payload, id: quiz.id.toUpperCase() }],
  ]
  for (const [what, one] of cases)
    test(what, async () => {
      const { status, body } = await byLane(one)
      assert.deepEqual([status, body], [418, LEFT])
    })
})

describe('a submission that may not come in is told so before it is read', () => {
  const payload = JSON.stringify({ answers })
  test('too often: 429 with the seconds', async () => {
    limits.wait = 7
    const { status, headers } = await byLane({ payload })
    limits.wait = 0
    assert.deepEqual([status, headers['retry-after']], [429, '7'])
  })
  test('while the process drowns: 503, and there is room afterwards', async () => {
    limits.isDrowning = true
    const { status, headers } = await byLane({ payload })
    limits.isDrowning = false
    assert.deepEqual([status, headers['retry-after']], [503, '2'])
    assert.equal((await byLane({ payload: JSON.stringify({ answers }) })).status, 201)
  })
  test('while those under way fill the room: 503; who goes away leaves it', async () => {
    const { port } = new URL(origin)
    const head = `POST /api/v1/quizzes/${quiz.id}/submit HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`
    const slow = connect(Number(port), '127.0.0.1')
    slow.write(head)
    while (nbUnderway() === 0) await setImmediate()
    assert.equal((await byLane({ payload })).status, 503)
    slow.destroy()
    while (nbUnderway() > 0) await setImmediate()
    assert.equal((await byLane({ payload })).status, 201)
  })
})
