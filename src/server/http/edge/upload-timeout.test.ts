import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createNoisePicture } from '#server/testing/quizzes/pictures.ts'

// Runs in test:all, because it waits for real timeouts.

const app = await createTestApp({ HTTP_REQUEST_SECONDS: '1' })
await app.app.listen({ port: 0, host: '127.0.0.1' })
const address = app.app.server.address()
assert.ok(address && typeof address === 'object')
const { port } = address
after(() => app.close())
const { access_token } = await app.signUp()

const STEP_MS = 200

/** Waits at least `ms` by the clock, because a timer can end early on a busy event loop. */
const pauseAtLeast = async (ms: number): Promise<void> => {
  const end = performance.now() + ms
  for (let left = ms; left > 0; left = end - performance.now()) await pause(left)
}

/** Sends a body in pieces. Returns the status and how long the connection accepted the body. */
const trickle = async (
  head: string,
  body: Buffer,
  step: number,
): Promise<{ status: number; ms: number }> => {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    answer += part
  })
  // A closed connection may be reset while our bytes are in transit.
  socket.on('error', () => undefined)
  const ended = once(socket, 'close')
  const began = performance.now()
  const length = `Content-Length: ${body.length}`
  const headers = ['Host: localhost', `Authorization: Bearer ${access_token}`, length]
  socket.write(`${[head, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  for (let at = 0; at < body.length && socket.writable; at += step) {
    socket.write(body.subarray(at, at + step))
    await pauseAtLeast(STEP_MS)
  }
  const ms = performance.now() - began
  await ended
  return { status: Number(answer.slice(9, 12)), ms }
}

const PICTURE = 'POST /api/v1/images HTTP/1.1\r\nContent-Type: image/png'
// Thirteen pieces take 2.6 s. Other requests have less time.
const picture = await createNoisePicture(260, 260).png().toBuffer()
const enough = 16_384

describe('a body that arrives slowly', { concurrency: true }, () => {
  test('an upload that keeps arriving slowly is awaited', async () => {
    const { status, ms } = await trickle(PICTURE, picture, enough)
    assert.equal(status, 201)
    assert.ok(ms > 1_500, 'longer than any other request may take')
  })
  test('an upload that hardly arrives is refused', async () => {
    const { status, ms } = await trickle(PICTURE, picture, 100)
    assert.equal(status, 408)
    assert.ok(ms < 5_000, String(ms))
  })
  test('a slow body is refused in every call that is not an upload', async () => {
    const quiz = JSON.stringify({ name: 'x'.repeat(500_000), type: 'quiz' })
    const head = 'POST /api/v1/quizzes HTTP/1.1\r\nContent-Type: application/json'
    const { status, ms } = await trickle(head, Buffer.from(quiz), enough)
    assert.equal(status, 408)
    assert.ok(ms < 5_000, String(ms))
  })
})
