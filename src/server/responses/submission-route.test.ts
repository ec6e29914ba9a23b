import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { MAX_CALL_BODY_BYTES } from '#contract/kit/endpoint.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const quiz = await publishedScoreQuiz(client)
const draft = await readyScoreQuiz(client)

const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@b.fr' }
const participant_uuid = randomUUID()
await client.publicQuiz.submit({ id: quiz.id, body: { answers, participant_uuid } })

type Sent = { id?: string; payload: string; headers?: Record<string, string> }
const send = ({ id = quiz.id, payload, headers = {} }: Sent) =>
  app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${id}/submit`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })
const text = (body: object) => JSON.stringify(body)
const known = text({ answers, participant_uuid })

describe('the answer to a submission', () => {
  const answer = (reply: string) => ({ payload: `{"answers":{"${quiz.open_id}":${reply}}}` })
  const one = (field: object) => ({ payload: text({ answers, ...field }) })
  const cases: [string, number, Sent][] = [
    ['of a new participant', 201, { payload: text({ answers }) }],
    ['of a participant who is stored', 200, { payload: known }],
    ['without an answer', 422, { payload: text({ answers: {} }) }],
    ['to a question of another quiz', 422, { payload: text({ answers: { [randomUUID()]: 'x' } }) }],
    ['to a question that is no UUID', 422, { payload: text({ answers: { zut: 'x' } }) }],
    ['without answers at all', 422, { payload: text({}) }],
    ['with answers that are a list', 422, { payload: '{"answers":[]}' }],
    ['with an answer that is a number', 422, answer('1')],
    ['with too long an answer', 422, answer(`"${'a'.repeat(10_001)}"`)],
    ['with a text that PostgreSQL cannot keep', 422, answer('"a\\u0000"')],
    ['with half a letter', 422, answer('"\\ud800"')],
    ['with too long an address', 422, one({ email: 'a'.repeat(10_001) })],
    ['of a participant that is null', 422, one({ participant_uuid: null })],
    ['of version 0', 422, one({ version: 0 })],
    ['of half a version', 422, one({ version: 1.5 })],
    ['of a version beyond integers', 422, one({ version: 2_147_483_648 })],
    ['of a version as text', 422, one({ version: '1' })],
    ['with negative seconds', 422, one({ elapsed_seconds: -1 })],
    ['with a trap that is a number', 422, one({ is_trapped: 1 })],
    [
      'with nulls where they may be',
      201,
      one({ email: null, version: null, consent_version: null }),
    ],
    ['that is empty', 400, { payload: '' }],
    ['that is no JSON', 400, { payload: '{"answers":' }],
    ['that nests too deep', 400, { payload: `{"answers":${'['.repeat(20)}${']'.repeat(20)}}` }],
    ['with a magic key', 400, { payload: '{"__proto__":{},"answers":{}}' }],
    ['that is a text', 422, { payload: '"answers"' }],
    ['that is null', 422, { payload: 'null' }],
    ['to a quiz that is not published', 403, { id: draft.id, payload: text({ answers: {} }) }],
    ['to no quiz', 404, { id: randomUUID(), payload: text({ answers: {} }) }],
    ['under an id in capitals', 200, { id: quiz.id.toUpperCase(), payload: known }],
    ['longer than 64 KiB', 200, { payload: known + ' '.repeat(66_000) }],
    ['longer than a body may be', 413, { payload: known + ' '.repeat(MAX_CALL_BODY_BYTES) }],
    ['that says it is text', 415, { payload: known, headers: { 'content-type': 'text/plain' } }],
    [
      'in another charset',
      415,
      { payload: known, headers: { 'content-type': 'application/json; charset=latin1' } },
    ],
    ['compressed', 415, { payload: known, headers: { 'content-encoding': 'gzip' } }],
  ]
  for (const [what, status, sent] of cases)
    test(`a submission is answered in JSON with the status ${status} and the request id: ${what}`, async () => {
      const { statusCode, headers, json } = await send(sent)
      assert.equal(statusCode, status)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['x-request-id']), /^[\w-]{8,}$/)
      const fields = status < 300 ? ['participant_uuid', 'result'] : ['error', 'code']
      assert.deepEqual(Object.keys(json<object>()), fields)
    })
})

test('a repeated participant gets the same bytes and is stored once', async () => {
  const payload = text({ answers, participant_uuid: randomUUID() })
  const [first, again] = [await send({ payload }), await send({ payload })]
  assert.deepEqual([first.statusCode, again.statusCode], [201, 200])
  assert.equal(again.body, first.body)
})

test('limits apply before the body is read: first the rate, then the total size of bodies', async ({
  mock,
}) => {
  // The allowance grows with time, so a slow machine may make more calls.
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const limited = await createTestApp({
    RATE_LIMITS: 'on',
    // Allows 20 MiB of announced bodies at once.
    SUBMIT_PER_ADDRESS: '128',
    HTTP_CONNECTIONS_PER_ADDRESS: '200',
  })
  const url = `/api/v1/quizzes/${randomUUID()}/submit`
  const { port } = new URL(await limited.app.listen({ port: 0, host: '127.0.0.1' }))
  /** Announces the length of a body and sends a part of it. */
  const begin = (nb_sent = 0) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${MAX_CALL_BODY_BYTES}\r\n\r\n`,
    )
    socket.write(' '.repeat(nb_sent))
    return socket
  }
  const bytesUnderway = async () => {
    const { body } = await limited.raw({ url: '/metrics' })
    return Number(/^bodies_underway_bytes (\d+)$/m.exec(body)?.[1])
  }
  // Sends 16 bodies of 1 MiB except one byte each; a network may send 16 MiB at a time.
  const slow = Array.from({ length: 16 }, () => begin(MAX_CALL_BODY_BYTES - 1))
  while ((await bytesUnderway()) < 16 * (MAX_CALL_BODY_BYTES - 1)) await setImmediate()
  assert.match(await readText(begin(17)), /^HTTP\/1\.1 503 .*\r\nretry-after: 2\r\n/s)
  slow[0]?.destroy()
  while ((await bytesUnderway()) >= 16 * (MAX_CALL_BODY_BYTES - 1)) await setImmediate()
  const more = Array.from({ length: 3 }, () => begin())
  assert.match(await readText(begin()), /^HTTP\/1\.1 429 .*\r\nretry-after: \d+\r\n/s)
  for (const socket of [...slow, ...more]) socket.destroy()
  await limited.close()
})
