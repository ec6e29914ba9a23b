import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { securityHeaders } from './security-headers.ts'

// Runs in test:all, because its requests are hostile and many.

const app = await createTestApp({
  HTTP_HEADERS_SECONDS: '1',
  HTTP_REQUEST_SECONDS: '2',
  HTTP_CONNECTIONS_PER_ADDRESS: '20',
})
await app.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.app.server.address() as AddressInfo
after(() => app.close())

/** Waits for the end of a connection, which may be reset while our bytes are in transit. */
const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve())
  })

/** Sends bytes and returns everything that the server answers before it closes the connection. */
const say = async (text: string | Buffer): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    answer += part
  })
  socket.write(text)
  await ended(socket)
  return answer
}
const statusOf = (answer: string): number => Number(answer.slice(9, 12))

const STRICT = securityHeaders('http://localhost')
/**
 * Asserts that the server answered with one of these statuses, in our error format and headers, and revealed nothing
 * of the machine.
 */
const refuses = (answer: string, statuses: number[]): void => {
  assert.ok(statuses.includes(statusOf(answer)), answer.slice(0, 400))
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  for (const [name, value] of Object.entries(STRICT))
    assert.ok(head.toLowerCase().includes(`${name}: ${value}`.toLowerCase()), `${name} in ${head}`)
  assert.match(head, /content-type: application\/json; charset=utf-8/i)
  assert.doesNotMatch(head, /^(?:server|x-powered-by):/im)
  const { error, code } = JSON.parse(body) as { error: string; code: string }
  assert.deepEqual([typeof error, typeof code], ['string', 'string'])
}

const HOST = 'Host: localhost\r\n'
const JSON_BODY = 'Content-Type: application/json\r\n'
const SIGN_UP = 'POST /auth/v1/signup HTTP/1.1\r\n'

describe('ambiguous and malformed requests', () => {
  const rows: Record<string, string> = {
    'no HTTP syntax': 'bonjour\r\n\r\n',
    'a length and chunks': `${SIGN_UP}${HOST}${JSON_BODY}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'two lengths': `${SIGN_UP}${HOST}${JSON_BODY}Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}`,
    'a length that is no number': `${SIGN_UP}${HOST}${JSON_BODY}Content-Length: +2\r\n\r\n{}`,
    'a negative length': `${SIGN_UP}${HOST}${JSON_BODY}Content-Length: -1\r\n\r\n`,
    'an encoding that is not chunks': `${SIGN_UP}${HOST}${JSON_BODY}Transfer-Encoding: identity, x\r\n\r\n{}`,
    'chunks twice': `${SIGN_UP}${HOST}${JSON_BODY}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    'a chunk of no length': `${SIGN_UP}${HOST}${JSON_BODY}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    'lines that end with only LF': `GET /healthz HTTP/1.1\n${HOST.trim()}\n\n`,
    'two hosts': `GET /healthz HTTP/1.1\r\n${HOST}Host: elsewhere.example\r\n\r\n`,
    'the same host twice': `GET /healthz HTTP/1.1\r\n${HOST}hOsT: localhost\r\n\r\n`,
    'two hosts of a submission': `POST /api/v1/quizzes/${randomUUID()}/submit HTTP/1.1\r\n${HOST}${HOST}${JSON_BODY}Content-Length: 2\r\n\r\n{}`,
    'a header that is folded': `GET /healthz HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`,
    'a space before the colon': `GET /healthz HTTP/1.1\r\n${HOST}X-A : b\r\n\r\n`,
    'a NUL in a header': `GET /healthz HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`,
    'an unknown method': `BONJOUR /healthz HTTP/1.1\r\n${HOST}\r\n`,
    'an unknown HTTP version': `GET /healthz HTTP/9.9\r\n${HOST}\r\n`,
  }
  for (const [name, text] of Object.entries(rows))
    test(`a request with ${name} is refused`, async () => refuses(await say(text), [400]))

  test('headers beyond their limit are refused', async () => {
    const large = `X-Large: ${'x'.repeat(20_000)}\r\n`
    refuses(await say(`GET /healthz HTTP/1.1\r\n${HOST}${large}\r\n`), [431])
  })
  test('a request without a host is refused', async () => {
    assert.equal(statusOf(await say('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')), 400)
  })
})

describe('methods that no route accepts', () => {
  test('the method CONNECT is refused', async () =>
    refuses(await say(`CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`), [405]))
  for (const method of ['TRACE', 'PROPFIND', 'SEARCH'])
    test(`the method ${method} is refused`, async () => {
      const text = `${method} /api/v1/quizzes HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
      refuses(await say(text), [404, 405])
    })
  test('an unknown Expect header is refused', async () => {
    const text = `GET /healthz HTTP/1.1\r\n${HOST}Expect: gifts\r\nConnection: close\r\n\r\n`
    refuses(await say(text), [417])
  })
  for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
    test(`the header ${name} changes nothing`, async () => {
      const { statusCode } = await app.raw({
        method: 'POST',
        url: '/healthz',
        headers: { [name]: 'GET' },
      })
      assert.equal(statusCode, 404)
    })
})

describe('a slow client', () => {
  test('a slow client is disconnected while its headers arrive', async () => {
    refuses(await say(`GET /healthz HTTP/1.1\r\n${HOST}X-A: `), [408])
  })
  test('a slow client is disconnected while its body arrives', async () => {
    refuses(await say(`${SIGN_UP}${HOST}${JSON_BODY}Content-Length: 100\r\n\r\n{"a":`), [408])
  })
  test('slow clients neither delay other clients nor take all connections', async () => {
    const held = Array.from({ length: 60 }, () => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.on('error', () => undefined)
      socket.write('GET /healthz HTTP/1.1\r\n')
      socket.resume()
      return ended(socket)
    })
    const inside = await app.raw({ url: '/healthz' })
    assert.equal(inside.statusCode, 200)
    await Promise.all(held)
    const answer = await say(`GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    assert.equal(statusOf(answer), 200)
  })
})

describe('a request that is too large', () => {
  test('a request that is too large is refused by its announced length before it is read', async () => {
    const answer = await say(`${SIGN_UP}${HOST}${JSON_BODY}Content-Length: 4000000\r\n\r\n{"a":`)
    assert.equal(statusOf(answer), 413)
  })
  test('a chunked request is refused when it exceeds the limit of its route', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const text = `${SIGN_UP}${HOST}${JSON_BODY}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(10)}`
    assert.equal(statusOf(await say(text)), 413)
  })
})
