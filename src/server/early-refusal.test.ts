import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type AllowedCaller, accessTableOf } from './http/edge/access.ts'
import { createBuiltApp } from './testing/app/built-app.ts'
import { createPerson, fillRoute, type Person, requiredQuery } from './testing/ownership/person.ts'

// Runs in test:all, because its requests are hostile and many.

/** Seconds after which a server that waits for the rest of a body answers 408. */
const MAX_BODY_S = 2
const app = await createBuiltApp({
  HTTP_REQUEST_SECONDS: String(MAX_BODY_S),
  AUTH_MANUAL_LINKING: 'on',
})
after(() => app.close())
await app.app.listen({ port: 0, host: '127.0.0.1' })
const address = app.app.server.address()
assert.ok(address && typeof address === 'object')
const { port } = address

let person: Person
before(async () => {
  person = await createPerson(app)
})

const BODY_BYTES = 3_000_000
const BEGINNING = Buffer.alloc(1_000, '{"a":[')

/** Sends the head of a request and the beginning of its body. Returns the status of the response. */
const statusBeforeBody = async (method: string, url: string, token?: string): Promise<number> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const head = [
    `${method} ${url} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${BODY_BYTES}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(BEGINNING)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return Number(String(answer).slice(9, 12))
}

const NEEDS_NO_CALLER: AllowedCaller[] = ['anyone', 'optional', 'link', 'operator']
const linesOf = (isWanted: (line: string, who: AllowedCaller) => boolean): string[] =>
  Object.entries(accessTableOf(app.app)).flatMap(([line, who]) =>
    isWanted(line, who) ? [line] : [],
  )

/** Statuses of a caller who is refused on a route of this kind. */
const refusalsOf = (line: string, others: number[]): number[] =>
  accessTableOf(app.app)[line] === 'administrator' ? [404] : others

const check = async (line: string, token: string | undefined, expected: number[]) => {
  const [method = ''] = line.split(' ')
  const url = fillRoute(line, person) + requiredQuery(line, person)
  const status = await statusBeforeBody(method, url, token)
  assert.ok(expected.includes(status), `${line} answers ${status}`)
}

describe('calls without a token', { concurrency: 8 }, () => {
  for (const line of linesOf((_line, who) => !NEEDS_NO_CALLER.includes(who)))
    test(`${line} without a token is refused before its body is read`, () =>
      check(line, undefined, refusalsOf(line, [401])))
})

describe('calls with an invalid token', { concurrency: 8 }, () => {
  for (const line of linesOf((_line, who) => !NEEDS_NO_CALLER.includes(who)))
    test(`${line} with an invalid token is refused before its body is read`, () =>
      check(line, 'nothing', refusalsOf(line, [401, 403])))
})

describe('calls with an invalid trial link', { concurrency: 8 }, () => {
  for (const line of linesOf((line) => /^POST .*\/test\/:token/.test(line)))
    test(`${line} with an invalid trial link is refused before its body is read`, () =>
      check(line, undefined, [403, 404]))
})

test('no body is read for an unknown address', async () => {
  for (const url of ['/nothing', '/api/v1/nothing', '/auth/v1/nothing'])
    assert.equal(await statusBeforeBody('POST', url), 404, url)
})

test('a refused request whose body continues is disconnected after a limited number of bytes', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  // A closed connection may be reset, for which `once` would throw.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const head = 'POST /api/v1/quizzes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json'
  socket.write(`${head}\r\nContent-Length: 1000000000\r\n\r\n`)
  const part = Buffer.alloc(65_536, '1,')
  const fill = (): void => {
    while (socket.writable && socket.write(part));
  }
  socket.on('drain', fill)
  fill()
  await closed
  assert.ok(socket.bytesWritten < 100_000_000, `${socket.bytesWritten} bytes were taken`)
})

test('a creator gets the reason for a refused large image although all of it is sent', async () => {
  const { access_token } = await app.signUp()
  const body = Buffer.alloc(20_000_000)
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'image/png' },
    body,
  })
  assert.equal(answer.status, 413)
  assert.match(await answer.text(), /trop/)
})

test('a connection whose refused body arrived completely is reused', async () => {
  const socket = connect(port, '127.0.0.1')
  let answers = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    answers += part
  })
  const body = JSON.stringify({ name: 'x'.repeat(200_000), type: 'quiz' })
  const head = 'POST /api/v1/quizzes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json'
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await once(socket, 'close')
  assert.deepEqual(
    [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['401', '200'],
  )
})
