import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { z } from 'zod'
import { group } from '#contract/kit/endpoint.ts'
import { AbandonedCall, toApiError } from './errors.ts'
import { type Handlers, mount, signalOf } from './mount.ts'

const calls = group({
  work: {
    method: 'POST',
    path: '/work',
    access: 'anyone',
    body: z.object({ is_long: z.boolean() }),
    answer: z.object({ is_done: z.boolean() }),
    timeout_ms: 300,
    summary: 'Travaille',
  },
})

/** Starts a server with one call that works until its signal aborts, or answers at once. */
const startServer = async (t: TestContext) => {
  const signals: AbortSignal[] = []
  const begun = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<unknown>()
  const closed = Promise.withResolvers<void>()
  const handlers: Handlers<typeof calls> = {
    work: ({ body }, _caller, request) => {
      const signal = signalOf(request)
      signals.push(signal)
      begun.resolve()
      if (!body.is_long) return Promise.resolve({ is_done: true })
      const { promise, reject } = Promise.withResolvers<{ is_done: boolean }>()
      signal.addEventListener('abort', () => {
        stopped.resolve(signal.reason)
        reject(signal.reason)
      })
      return promise
    },
  }
  const server = Fastify()
  t.after(() => server.close())
  server.setErrorHandler((error, _request, reply) => {
    const { status, headers } = toApiError(error)
    reply.code(status).headers(headers).send()
  })
  server.addHook('onSend', async (_request, { raw }) => {
    raw.once('close', closed.resolve)
  })
  mount(server, calls, handlers)
  const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  return {
    server,
    address,
    signals,
    begun: begun.promise,
    stopped: stopped.promise,
    closed: closed.promise,
  }
}

const post = (address: URL, is_long: boolean) =>
  fetch(new URL('/api/v1/work', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ is_long }),
  })

test('a call that takes too long is aborted, and its caller is told to retry', async (t) => {
  const { address, stopped } = await startServer(t)
  const { status, headers } = await post(address, true)
  assert.equal(status, 503)
  assert.ok(Number(headers.get('retry-after')) > 0)
  assert.ok((await stopped) instanceof AbandonedCall)
})

test('a call whose connection closes is aborted', async (t) => {
  const { address, begun, stopped } = await startServer(t)
  const body = JSON.stringify({ is_long: true })
  const caller = connect(Number(address.port), '127.0.0.1')
  caller.write(
    `POST /api/v1/work HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await begun
  caller.destroy()
  await once(caller, 'close')
  assert.ok((await stopped) instanceof AbandonedCall)
})

test('a call that is answered in time is not aborted', async (t) => {
  const { address, signals, closed } = await startServer(t)
  const reply = await post(address, false)
  assert.deepEqual([reply.status, await reply.json()], [200, { is_done: true }])
  await closed
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false],
  )
})
