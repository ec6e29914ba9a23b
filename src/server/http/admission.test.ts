import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { openTransaction } from '#server/testing/open-transaction.ts'
import { publishedScoreQuiz } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'
import { admitSubmissions, type Room } from './admission.ts'
import { toApiError } from './errors.ts'

const app = await createTestApp()
after(() => app.close())

/** A server with so much room; calls that are admitted wait until they are released. */
const startServer = (room: Room) => {
  const server = Fastify()
  let inside: (() => void)[] = []
  server.setErrorHandler((error, _request, reply) => {
    const { status, headers } = toApiError(error)
    reply.code(status).headers(headers).send()
  })
  admitSubmissions(server, room)
  server.post('/submit', { config: { access: 'anyone' } }, async () => {
    await new Promise<void>((resolve) => inside.push(resolve))
    return 'stored'
  })
  server.post('/other', { config: { access: 'creator' } }, async () => 'done')
  const post = async (url: string, body: string | Readable = 'x') => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await server.inject({ method: 'POST', url, headers, body })
    return [answer.statusCode, answer.headers['retry-after']]
  }
  /** Lets so many go, once they are all inside. */
  const letGo = async (count: number) => {
    while (inside.length < count) await setImmediate()
    for (const leave of inside) leave()
    inside = []
  }
  return { server, post, letGo }
}
const STORED = [200, undefined]
const REFUSED = [503, '2']

test('beyond so many at once the next is refused, and let in when there is room again', async () => {
  const { post, letGo } = startServer({ calls: 2, bytes: 1_000 })
  for (let round = 0; round < 3; round++) {
    const admitted = [post('/submit'), post('/submit')]
    assert.deepEqual(await post('/submit'), REFUSED)
    assert.deepEqual(await post('/other'), STORED, 'others are not concerned')
    await letGo(2)
    assert.deepEqual(await Promise.all(admitted), [STORED, STORED])
  }
})

test('beyond so many bytes too; a body that does not say its length is as long as any', async () => {
  const { post, letGo } = startServer({ calls: 9, bytes: 1_000 })
  const admitted = [post('/submit', 'x'.repeat(600)), post('/submit', 'x'.repeat(400))]
  assert.deepEqual(await post('/submit'), REFUSED)
  await letGo(2)
  assert.deepEqual(await Promise.all(admitted), [STORED, STORED])
  assert.deepEqual(await post('/submit', Readable.from(['x'])), REFUSED)
})

test('a call that is aborted gives its room back', async () => {
  const { server, post, letGo } = startServer({ calls: 1, bytes: 1_000 })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const accepted: Promise<Socket[]> = once(server.server, 'connection')
  const arrived = once(server.server, 'request')
  const visitor = connect(Number(new URL(address).port), '127.0.0.1')
  visitor.write(
    'POST /submit HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\n',
  )
  const [socket] = await accepted
  assert.ok(socket)
  await arrived
  assert.deepEqual(await post('/submit'), REFUSED)
  visitor.destroy()
  await new Promise((resolve) => socket.once('close', resolve))
  const admitted = post('/submit')
  assert.deepEqual(await post('/submit'), REFUSED)
  await letGo(1)
  assert.deepEqual(await admitted, STORED)
  await server.close()
})

const countStored = async (quiz_id: string): Promise<number | undefined> => {
  const counted = await app.db
    .selectFrom('quiz_versions')
    .select('nb_responses')
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirst()
  return counted?.nb_responses
}

test('a stalled database: the submissions there is room for wait, the others are told to come back', async () => {
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
