import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { ConfigError } from '#server/config/config.ts'
import { closeGracefully, listen } from './lifecycle.ts'

const host = '127.0.0.1'
const portOf = ({ server }: FastifyInstance): number => {
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  return address.port
}

/** Creates an app that echoes bodies, and one half-sent call to it. */
const halfCalled = async () => {
  const app = Fastify()
  app.post('/', async ({ body }) => body)
  await listen(app, { port: 0, host })
  const called = once(app.server, 'request')
  const port = portOf(app)
  const socket: Socket = connect({ port, host })
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n')
  socket.write('content-length: 9\r\n\r\n{"n":')
  await called
  return { app, socket, port }
}

const answerOn = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

test('a call in progress is answered before the server closes, and new calls are refused', async () => {
  const { app, socket, port } = await halfCalled()
  const closing = closeGracefully(app)
  const answer = answerOn(socket)
  while (app.server.listening) await new Promise((resolve) => setImmediate(resolve))
  await assert.rejects(fetch(`http://${host}:${port}`))
  socket.write('123}')
  assert.match(await answer, /^HTTP\/1\.1 200 .*\{"n":123\}$/s)
  await closing
})

test('a call that never ends is disconnected', async () => {
  const { app, socket } = await halfCalled()
  const answer = answerOn(socket)
  await closeGracefully(app, 50)
  assert.equal(await answer, '')
})

test('a listen address that cannot be used gives a one-line error', async () => {
  const first = Fastify()
  await listen(first, { port: 0, host })
  const port = portOf(first)
  const second = Fastify()
  await assert.rejects(
    listen(second, { port, host }),
    new ConfigError(
      `PORT: ${port} is in use on ${host}: stop what listens there, or choose another`,
    ),
  )
  await assert.rejects(
    listen(second, { port: 0, host: '203.0.113.7' }),
    new ConfigError('HOST: 203.0.113.7 is no address of this machine'),
  )
  await Promise.all([first.close(), second.close()])
})
