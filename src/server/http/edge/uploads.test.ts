import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { images } from '#contract/images.ts'
import { identifyCallers } from './admission.ts'
import { toApiError } from './errors.ts'
import { mountUploads } from './uploads.ts'

const URL_PATH = '/api/v1/images'
const image = {
  id: '6404b0c8-5c3a-8000-8000-000000000001',
  width: 1,
  height: 1,
  color: '#000000',
  is_animated: false,
}

/** Creates a gate that is open, or holds all callers until it is opened. */
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

const MAX_BYTES = 1_000

/** Starts a server with a limit of bytes. The token of a call is the id of its creator. */
const startServer = async (t: TestContext) => {
  const [account, handler] = [createDoor(), createDoor()]
  const bodies: Uint8Array[] = []
  const server = Fastify()
  t.after(() => server.close())
  server.setErrorHandler((error, _request, reply) => {
    const { status, headers, message } = toApiError(error)
    reply.code(status).headers(headers).send({ error: message })
  })
  identifyCallers(server, async ({ headers }) => {
    await account.pass()
    return { id: headers.authorization ?? 'camille', session_id: undefined }
  })
  mountUploads(server, images, {
    handlers: {
      add: async ({ body }) => {
        bodies.push(body)
        await handler.pass()
        return { image }
      },
      usage: async () => ({ used: 0, quota: 1 }),
    },
    max_bytes: MAX_BYTES,
    max_bytes_per_creator: 900,
    too_heavy: 'Trop lourd',
  })
  const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const send = (creator = 'camille', body = 'x') =>
    server.inject({
      method: 'POST',
      url: URL_PATH,
      body,
      headers: { 'content-type': 'image/png', authorization: creator },
    })
  const statusOf = async (creator?: string): Promise<number> => (await send(creator)).statusCode
  /** Begins an upload, sends this number of bytes, and returns the connection once they have arrived. */
  const begin = async (creator: string, { length = 100, sent = 1 } = {}): Promise<Upload> => {
    const accepted: Promise<Socket[]> = once(server.server, 'connection')
    const visitor = connect(Number(address.port), '127.0.0.1')
    const head = `POST ${URL_PATH} HTTP/1.1\r\nhost: x\r\nauthorization: ${creator}\r\ncontent-type: image/png\r\ncontent-length: ${length}\r\n\r\n`
    visitor.write(head + 'x'.repeat(sent))
    const [socket] = await accepted
    assert.ok(socket)
    while (socket.bytesRead < head.length + sent) await setImmediate()
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    const answered = once(visitor, 'data').then(([data]) =>
      Number(String(data).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
    )
    answered.catch(() => undefined)
    return {
      answered,
      write: (bytes) => void visitor.write('x'.repeat(bytes)),
      leave: async () => {
        const { promise: closed, resolve } = Promise.withResolvers<void>()
        socket.once('close', resolve)
        visitor.destroy()
        await closed
      },
    }
  }
  /** Sends an upload and disconnects once `door` holds it. */
  const leaveAt = async (door: typeof account): Promise<void> => {
    const before = door.arrivals.count
    const { leave } = await begin('camille', { length: 1 })
    while (door.arrivals.count === before) await setImmediate()
    await leave()
  }
  return { server, bodies, account, handler, send, statusOf, begin, leaveAt }
}

type Upload = {
  answered: Promise<number>
  write: (bytes: number) => void
  leave: () => Promise<void>
}

test('a creator may have eight uploads at a time and is told when to retry', async (t) => {
  const { begin, send, statusOf } = await startServer(t)
  const slow: Upload[] = []
  for (let rank = 0; rank < 8; rank++) slow.push(await begin('camille'))
  const { statusCode, headers, body } = await send('camille')
  assert.equal(statusCode, 429)
  assert.ok(Number(headers['retry-after']) > 0)
  assert.match(body, /Plusieurs envois de votre compte sont déjà en cours/)
  assert.equal(await statusOf('noa'), 201)
  for (const { leave } of slow) await leave()
  assert.equal(await statusOf('camille'), 201)
})

test('slow uploads do not displace uploads of other creators', async (t) => {
  const { begin, statusOf } = await startServer(t)
  const slow = []
  for (let rank = 0; rank < 20; rank++) slow.push(await begin(`slow ${rank}`, { length: 900 }))
  assert.equal(await statusOf('noa'), 201)
  for (const { leave } of slow) await leave()
})

test('above the limit of one creator, their largest arriving upload is refused', async (t) => {
  const { begin, send } = await startServer(t)
  const kept = await begin('camille', { length: 401, sent: 400 })
  const lost = await begin('camille', { length: 600, sent: 480 })
  assert.equal((await send('camille', 'x'.repeat(30))).statusCode, 201)
  assert.equal(await lost.answered, 429)
  kept.write(1)
  assert.equal(await kept.answered, 201)
})

test('above the limit of all creators, the creator with the most bytes loses the largest arriving upload', async (t) => {
  const { begin, send, statusOf } = await startServer(t)
  const kept = await begin('busy', { length: 400, sent: 350 })
  const lost = await begin('busy', { length: 900, sent: 500 })
  const other = await begin('other', { length: 200, sent: 100 })
  const { statusCode } = await send('noa', 'x'.repeat(100))
  assert.equal(statusCode, 201)
  assert.equal(await lost.answered, 503)
  kept.write(50)
  other.write(100)
  assert.deepEqual(await Promise.all([kept.answered, other.answered]), [201, 201])
  assert.equal(await statusOf('busy'), 201)
})

test('a creator whose upload does not fit is refused if no other creator holds more', async (t) => {
  const { handler, send } = await startServer(t)
  handler.shut()
  const worked_on = send('busy', 'x'.repeat(900))
  while (handler.arrivals.count === 0) await setImmediate()
  const { statusCode, headers } = await send('noa', 'x'.repeat(200))
  assert.equal(statusCode, 503)
  assert.ok(Number(headers['retry-after']) > 0)
  handler.open()
  assert.equal((await worked_on).statusCode, 201)
})

test('a client that leaves before it is identified takes no memory', async (t) => {
  const { account, statusOf, leaveAt } = await startServer(t)
  account.shut()
  await leaveAt(account)
  account.open()
  await setImmediate()
  assert.equal(await statusOf(), 201)
})

test('an upload counts until its handler ends, even after its client has left', async (t) => {
  const { handler, statusOf, leaveAt } = await startServer(t)
  handler.shut()
  for (let rank = 0; rank < 8; rank++) await leaveAt(handler)
  assert.equal(await statusOf(), 429)
  assert.equal(handler.arrivals.count, 8)
  handler.open()
  await setImmediate()
  assert.equal(await statusOf(), 201)
  assert.equal(await statusOf(), 201, 'an upload that ends gives its place back')
})

test('a body has memory of its own, so that it can move to a thread, with or without an announced length', async (t) => {
  const { bodies, server } = await startServer(t)
  const headers = { 'content-type': 'image/png', authorization: 'camille' }
  const request = { method: 'POST', url: URL_PATH, headers } as const
  await server.inject({ ...request, body: 'abc' })
  await server.inject({ ...request, payload: Readable.from([Buffer.from('a'), Buffer.from('bc')]) })
  for (const body of bodies) {
    assert.equal(Buffer.from(body).toString(), 'abc')
    assert.equal(body.buffer.byteLength, 3)
  }
  assert.equal(bodies.length, 2)
})
