import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { images } from '#contract/images.ts'
import { identifyCallers } from './callers.ts'
import { toApiError } from './errors.ts'
import { mountUploads } from './uploads.ts'

const URL_PATH = '/api/v1/images'
const image = { id: '6404b0c8-5c3a-8000-8000-000000000001', width: 1, height: 1, color: '#000000' }

/** A door that is open, or keeps all that come until it is opened. */
const createDoor = () => {
  let { promise: opened, resolve: open } = Promise.withResolvers<void>()
  open()
  const arrivals = { count: 0 }
  return {
    arrivals,
    pass: (): Promise<void> => {
      arrivals.count++
      return opened
    },
    shut: (): void => {
      ;({ promise: opened, resolve: open } = Promise.withResolvers<void>())
    },
    open: () => open(),
  }
}

/** A server with room for one upload, which stays as long as the doors keep it. */
const startServer = async (t: TestContext) => {
  const [account, handler] = [createDoor(), createDoor()]
  const server = Fastify()
  t.after(() => server.close())
  server.setErrorHandler((error, _request, reply) => {
    reply.code(toApiError(error).status).send()
  })
  identifyCallers(server, async () => {
    await account.pass()
    return { id: 'camille', session_id: undefined }
  })
  mountUploads(server, images, {
    handlers: {
      add: async () => {
        await handler.pass()
        return { image }
      },
      usage: async () => ({ used: 0, quota: 1 }),
    },
    most_at_once: 1,
    too_heavy: 'Trop lourd',
  })
  const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const statusOf = async (): Promise<number> => {
    const headers = { 'content-type': 'image/png' }
    const reply = await server.inject({ method: 'POST', url: URL_PATH, headers, body: 'x' })
    return reply.statusCode
  }
  /** Sends an upload and leaves once `door` keeps it. */
  const leaveAt = async (door: typeof account): Promise<void> => {
    const accepted: Promise<Socket[]> = once(server.server, 'connection')
    const visitor = connect(Number(address.port), '127.0.0.1')
    visitor.write(
      `POST ${URL_PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: 1\r\n\r\nx`,
    )
    const [socket] = await accepted
    assert.ok(socket)
    const closed = once(socket, 'close')
    while (door.arrivals.count === 0) await setImmediate()
    visitor.destroy()
    await closed
  }
  return { account, handler, statusOf, leaveAt }
}

test('who leaves before the account is known has taken no room', async (t) => {
  const { account, statusOf, leaveAt } = await startServer(t)
  account.shut()
  await leaveAt(account)
  account.open()
  await setImmediate()
  assert.equal(await statusOf(), 201)
})

test('who leaves takes room as long as the bytes are worked on', async (t) => {
  const { handler, statusOf, leaveAt } = await startServer(t)
  handler.shut()
  await leaveAt(handler)
  assert.equal(await statusOf(), 503)
  assert.equal(handler.arrivals.count, 1)
  handler.open()
  await setImmediate()
  assert.equal(await statusOf(), 201)
  assert.equal(await statusOf(), 201, 'one that ends gives its room back')
})
