import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { closeStalledReaders, createPipelineLimit } from './http-server.ts'

// Runs in test:all, because it waits for real timeouts.

/** Bytes that exceed the buffers of both ends of a connection. */
const LARGE = Buffer.alloc(64 * 1_048_576, 'x')

const startServer = async (answer: RequestListener, max_stall_ms = 200) => {
  const server = createServer(answer)
  closeStalledReaders(server, max_stall_ms)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  /** Connects and sends a request. Returns both ends of the connection. */
  const ask = async (text = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n') => {
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write(text)
    const [socket] = (await accepted) as [Socket]
    return { client, socket, closed: new Promise((resolve) => socket.once('close', resolve)) }
  }
  return {
    ask,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a client that never reads its response is disconnected', async () => {
  await using server = await startServer((_request, response) => response.end(LARGE))
  const { socket, closed } = await server.ask()
  await closed
  assert.ok(socket.bytesRead > 0)
})

test('an event stream that nobody reads is closed although it continues to write', async () => {
  await using server = await startServer((_request, response) => {
    response.write(LARGE)
    const timer = setInterval(() => response.write(': \n\n'), 20)
    response.once('close', () => clearInterval(timer))
  })
  const { closed } = await server.ask()
  await closed
})

test('a client that reads with pauses gets its complete response', async () => {
  await using server = await startServer((_request, response) => response.end(LARGE), 2_000)
  const { client } = await server.ask('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let received = 0
  client.on('data', (part: Buffer) => {
    received += part.length
    client.pause()
    setTimeout(() => client.resume(), received % 7 === 0 ? 5 : 0)
  })
  await once(client, 'end')
  assert.ok(received > LARGE.length)
})

test('a connection that waits for a response or for the next request stays open', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await using server = await startServer(async (_request, response) => {
    await released
    response.end('done')
  }, 20)
  const { client } = await server.ask()
  // This is longer than the limit for a stalled reader, so the server checks twice meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 100))
  release()
  const [first] = await once(client, 'data')
  assert.match(String(first), /done$/)
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [second] = await once(client, 'data')
  assert.match(String(second), /done$/)
})

test('a connection with too many pipelined requests is closed before they are handled', async () => {
  let nb_begun = 0
  const isTooDeep = createPipelineLimit()
  await using server = await startServer((request, response) => {
    if (isTooDeep(request, response)) return
    nb_begun++
  })
  const { closed } = await server.ask('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000))
  await closed
  assert.equal(nb_begun, 5)
})

test('a few pipelined requests at a time are answered', async () => {
  const isTooDeep = createPipelineLimit()
  await using server = await startServer(async (request, response) => {
    if (isTooDeep(request, response)) return
    await setImmediate()
    response.end('.')
  })
  const { client } = await server.ask('')
  let answers = ''
  client.setEncoding('latin1').on('data', (part: string) => {
    answers += part
  })
  for (let round = 1; round <= 5; round++) {
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5))
    while (answers.split('200 OK').length - 1 < 5 * round) await setImmediate()
  }
})
