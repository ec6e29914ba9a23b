import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { createSafePost, MAX_RESPONSE_BYTES } from './safe-post.ts'

// Runs in test:all, because its requests are hostile and many.

const closing: (() => Promise<unknown>)[] = []
after(() => Promise.all(closing.map((close) => close())))
const portOf = (server: { address: () => unknown }): number =>
  (server.address() as AddressInfo).port

/** Starts a server on this machine that records its requests. */
const serve = async (answer: RequestListener): Promise<{ port: number; asked: string[] }> => {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    return closed
  })
  return { port: portOf(server), asked }
}
/** Starts a server that does not speak HTTP, or violates it. */
const serveRaw = async (onSocket: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createRawServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return once(server.close(), 'close')
  })
  return portOf(server)
}

const HERE = ['127.0.0.1']
const sending = (patience_ms = 5_000, resolve = async (): Promise<string[]> => HERE) => {
  const post = createSafePost({ allows_loopback: true, resolve, patience_ms })
  return (address: string) => post({ address, headers: { 'x-a': 'b' }, body: '{"é":1}' })
}

test('the response to a webhook is returned with its status and text', async () => {
  let got = ''
  const { port, asked } = await serve(async (request, response) => {
    for await (const part of request) got += String(part)
    response.writeHead(201, { 'retry-after': '7' }).end('reçu')
  })
  assert.deepEqual(await sending()(`http://hook.test:${port}/a?b`), {
    kind: 'answer',
    status: 201,
    retry_after: '7',
    text: 'reçu',
  })
  assert.equal(got, '{"é":1}')
  assert.deepEqual(asked, [`POST hook.test:${port}/a?b`])
})

test('a name is resolved once, and addresses that it gets later are not used', async () => {
  const { port, asked } = await serve((_request, response) => response.end())
  const answers = [HERE, ['10.0.0.1'], HERE, ['169.254.169.254', '127.0.0.1']]
  let asks = 0
  const send = sending(5_000, async () => answers[asks++] ?? [])
  const outcomes = []
  for (let index = 0; index < answers.length; index++)
    outcomes.push(await send(`http://hook.test:${port}/`))
  assert.equal(asks, answers.length)
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : outcome.kind)),
    ['answer', 'private_address', 'answer', 'private_address'],
  )
  assert.equal(asked.length, 2)
})

test('no name reaches this machine outside tests', async () => {
  const { port, asked } = await serve((_request, response) => response.end())
  const post = createSafePost({ allows_loopback: false, resolve: async () => HERE })
  for (const address of [`https://exemple.fr:${port}/`, `https://127.0.0.1:${port}/`]) {
    const posted = await post({ address, headers: {}, body: '' })
    assert.deepEqual(posted, { kind: 'refused', reason: 'private_address' })
  }
  assert.deepEqual(asked, [])
})

for (const status of [301, 302, 303, 307, 308])
  test(`a redirect (${status}) of a webhook is returned and not followed`, async () => {
    const inside = await serve((_request, response) => response.end('secret'))
    const { port, asked } = await serve((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    )
    const posted = await sending()(`http://127.0.0.1:${port}/`)
    assert.equal(posted.kind === 'answer' && posted.status, status)
    assert.equal(asked.length, 1)
    assert.deepEqual(inside.asked, [])
  })

test('an endless response is cut, and its status counts', async () => {
  const { promise: cut, resolve: end } = Promise.withResolvers<void>()
  const { port } = await serve((_request, response) => {
    response.on('close', end)
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const posted = await sending()(`http://127.0.0.1:${port}/`)
  assert.ok(posted.kind === 'answer')
  assert.equal(posted.status, 200)
  assert.equal(posted.text.length, MAX_RESPONSE_BYTES)
  await cut
})

test('a response without a complete body is judged by its status', async () => {
  const { port } = await serve((_request, response) => void response.writeHead(204 + 1).write('a'))
  const posted = await sending(3_000)(`http://127.0.0.1:${port}/`)
  assert.deepEqual(posted, { kind: 'answer', status: 205, retry_after: undefined, text: 'a' })
})

test('a server that never answers, drips or does not speak HTTP is disconnected', async () => {
  const silent = await serveRaw(() => undefined)
  const dripping = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('a: b\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const waiting = await serveRaw((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const hinting = await serveRaw((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const endless = await serveRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n`)
  })
  const wordy = await serveRaw((socket) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n'))
  const broken = await serveRaw((socket) => void socket.destroy())
  const codeOf = async (port: number, patience_ms?: number): Promise<string> => {
    const posted = await sending(patience_ms)(`http://127.0.0.1:${port}/`)
    return posted.kind === 'failed' ? posted.code : posted.kind
  }
  for (const port of [silent, dripping, waiting, hinting])
    assert.equal(await codeOf(port, 400), 'timeout')
  for (const port of [endless, wordy, broken]) assert.equal(await codeOf(port), 'network')
})

test('a server that switches protocols counts as silent and is not awaited', async () => {
  const port = await serveRaw((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  })
  const posted = await sending()(`http://127.0.0.1:${port}/`)
  assert.deepEqual(posted, { kind: 'failed', code: 'network' })
})

test('a name whose name servers are silent fails within the same time', async () => {
  const send = sending(200, () => new Promise<never>(() => undefined))
  assert.deepEqual(await send('http://hook.test:9999/'), { kind: 'failed', code: 'timeout' })
})

test('a name without an address and a closed port are reported', async () => {
  const none = await sending(5_000, async () => [])('http://hook.test:9999/')
  assert.deepEqual(none, { kind: 'refused', reason: 'unknown_host' })
  const port = await serveRaw(() => undefined)
  await closing.pop()?.()
  const nobody = await sending()(`http://127.0.0.1:${port}/`)
  assert.deepEqual(nobody, { kind: 'failed', code: 'network' })
})
